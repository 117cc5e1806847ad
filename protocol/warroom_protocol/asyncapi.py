"""The AsyncAPI 3 document of a server: its websocket, and the topics of its MQTT feed.

It describes the server as the application: the server *receives* the messages of clients and *sends* its own.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct

from warroom_protocol.descriptions import described
from warroom_protocol.messages import (
    CLIENT_MESSAGES,
    SERVER_MESSAGES,
    Act,
    Claim,
    Create,
    Created,
    Done,
    Error,
    GameList,
    Games,
    Hello,
    Join,
    Joined,
    Legal,
    LegalList,
    Matches,
    MatchList,
    Older,
    Ping,
    Pong,
    Quick,
    Ranking,
    RankingList,
    Replay,
    ReplayPart,
    Resumed,
    RoomList,
    Rooms,
    Snapshot,
    Update,
    Verdict,
    Watch,
    Welcome,
)
from warroom_protocol.topics import DEFAULT_PREFIX
from warroom_protocol.versions import VERSION

Node: TypeAlias = dict[str, Any]

REPLIES: Final[Mapping[type[Struct], tuple[type[Struct], ...]]] = {
    Hello: (Welcome,),
    Games: (GameList,),
    Rooms: (RoomList,),
    Older: (RoomList,),
    Create: (Created,),
    Quick: (Created,),
    Join: (Joined, Resumed),
    Watch: (Joined, Resumed),
    Claim: (Joined,),
    Act: (Verdict,),
    Legal: (LegalList,),
    Matches: (MatchList,),
    Replay: (ReplayPart,),
    Ranking: (RankingList,),
    Ping: (Pong,),
}
"""What answers a request, if it is not refused; `done` answers all others."""

_FORMAT: Final = "application/schema+json;version=draft-2020-12"
_PACKED: Final = "application/msgpack"
_JSON: Final = "application/json"
_WEBSOCKET: Final = "websocket"
_PARAMETERS: Final = {
    "room": "the number of a room",
    "life": "the life of the room's numbers",
    "game": "the id of a game",
    "node": "the id of a node",
}


class Topic(Struct, frozen=True):
    """A topic of the feed: what is published there and how."""

    name: str
    path: str
    """The topic below the prefix."""
    payload: str
    """The definition in feed.json or, for messages of the websocket, in wire/server.json."""
    summary: str
    retained: bool = False
    qos: int = 1

    @property
    def is_json(self) -> bool:
        """Whether it is no message of the websocket."""
        return self.payload not in (Snapshot.__name__, Update.__name__)


TOPICS: Final = (
    Topic("roomAbout", "room/{room}/about", "RoomAbout", "What never changes about a room.", retained=True),
    Topic("roomState", "room/{room}/state", "RoomState", "All about a room that has no number.", retained=True),
    Topic("roomSnapshot", "room/{room}/snapshot", "Snapshot", "The public view, packed.", retained=True, qos=0),
    Topic("roomJson", "room/{room}/json", "RoomSnapshot", "The public view, for reading.", retained=True, qos=0),
    Topic("roomUpdate", "room/{room}/update/{life}", "Update", "The next step of the public view.", qos=0),
    Topic("lobby", "lobby/{game}/{room}", "ListedRoom", "A room that is not over.", retained=True),
    Topic("matchStarted", "match/{game}/started", "ListedRoom", "A match began."),
    Topic("matchEnded", "match/{game}/ended", "FinishedMatch", "A match is over."),
    Topic("matchRated", "match/{game}/rated", "RatedMatch", "A match was rated."),
    Topic("ranking", "ranking/{game}", "BestPlayers", "The best players of a game.", retained=True),
    Topic("botRanking", "ranking/{game}/bots", "BestPlayers", "The best bots of a game.", retained=True),
    Topic("wanted", "wanted/{game}", "WantedBot", "A seat wants a bot."),
    Topic("node", "node/{node}", "RunningNode", "A node is running.", retained=True),
    Topic("notice", "notice", "PublicNotice", "Something that everyone should know."),
)
"""All topics of the feed."""


def asyncapi() -> Node:
    """Return the document. Its references lead to the schemas beside it."""
    return {
        "asyncapi": "3.0.0",
        "info": _info(),
        "defaultContentType": _PACKED,
        "servers": {_WEBSOCKET: _server("ws", "127.0.0.1:8000", "The server."), "mqtt": _broker()},
        "channels": {_WEBSOCKET: _websocket(), **{topic.name: _channel(topic) for topic in TOPICS}},
        "operations": {
            **{name: _request(name, kind) for name, kind in CLIENT_MESSAGES.items()},
            **{f"send{kind.__name__}": _push(kind) for kind in unasked()},
            **{f"publish{topic.name[0].upper()}{topic.name[1:]}": _publication(topic) for topic in TOPICS},
        },
        "components": {"messages": {**_messages(), **_payloads()}},
    }


def replies(kind: type[Struct]) -> tuple[type[Struct], ...]:
    """Return the messages of which one answers a request that is not refused."""
    return REPLIES.get(kind, (Done,))


def unasked() -> list[type[Struct]]:
    """Return the messages that a server sends by itself."""
    answers = {reply for kind in CLIENT_MESSAGES.values() for reply in replies(kind)} - {Verdict}
    return [kind for kind in SERVER_MESSAGES.values() if kind not in answers]


def _info() -> Node:
    return {
        "title": "Warroom",
        "version": str(VERSION),
        "description": (
            "An authoritative multiplayer server for turn-based games with a clock. Each websocket message is a "
            "MessagePack array in a binary frame; client.json and server.json, beside this document, describe the same "
            "messages with the names of the fields. docs/PROTOCOL.md and docs/MQTT.md say what they mean."
        ),
        "license": {"name": "MIT"},
    }


# --- the websocket ----------------------------------------------------------------------------------------------


def _websocket() -> Node:
    messages = [*CLIENT_MESSAGES.values(), *SERVER_MESSAGES.values()]
    return {
        "address": "/ws",
        "summary": "Everything that clients and the server say to each other, in binary frames.",
        "servers": [_ref("servers", _WEBSOCKET)],
        "messages": {kind.__name__: _ref("components", "messages", kind.__name__) for kind in messages},
        "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
    }


def _request(name: str, kind: type[Struct]) -> Node:
    operation = _on_websocket("receive", kind)
    answers = [*replies(kind), *(() if kind is Act else (Error,))]
    reply = {"channel": _ref("channels", _WEBSOCKET), "messages": [_message(each) for each in answers]}
    return {"title": name, **operation, "reply": reply}


def _push(kind: type[Struct]) -> Node:
    return {"title": str(kind.__struct_config__.tag), **_on_websocket("send", kind)}


def _on_websocket(action: str, kind: type[Struct]) -> Node:
    summary = described(kind).partition("\n\n")[0].replace("\n", " ")
    channel = _ref("channels", _WEBSOCKET)
    return {"action": action, "summary": summary, "channel": channel, "messages": [_message(kind)]}


def _message(kind: type[Struct]) -> Node:
    return _ref("channels", _WEBSOCKET, "messages", kind.__name__)


def _messages() -> Node:
    return {
        kind.__name__: {
            "name": str(kind.__struct_config__.tag),
            "title": kind.__name__,
            "description": described(kind),
            "contentType": _PACKED,
            "payload": _schema(f"wire/{side}.json", kind.__name__),
            **_correlation(kind),
        }
        for side, kinds in (("client", CLIENT_MESSAGES), ("server", SERVER_MESSAGES))
        for kind in kinds.values()
    }


def _correlation(kind: type[Struct]) -> Node:
    """Return where the number is that a request and its answer share, if there is one."""
    name = "id" if kind in (Act, Verdict) else "ref"
    if name not in kind.__struct_fields__:
        return {}
    position = 1 + kind.__struct_fields__.index(name)
    return {"correlationId": {"location": f"$message.payload#/{position}"}}


# --- the feed ---------------------------------------------------------------------------------------------------


def _broker() -> Node:
    broker = _server("mqtt", "127.0.0.1:1883", "The broker that the server publishes to, if it has one.")
    return {**broker, "protocolVersion": "5"}


def _channel(topic: Topic) -> Node:
    gone = " An empty payload means: gone." if topic.retained else ""
    names = [name for name in _PARAMETERS if f"{{{name}}}" in topic.path]
    parameters = {name: {"description": _PARAMETERS[name]} for name in names}
    return {
        "address": f"{DEFAULT_PREFIX}/{topic.path}",
        "summary": topic.summary + gone,
        "servers": [_ref("servers", "mqtt")],
        "messages": {topic.payload: _ref("components", "messages", topic.payload)},
        **({"parameters": parameters} if parameters else {}),
    }


def _publication(topic: Topic) -> Node:
    return {
        "action": "send",
        "summary": topic.summary,
        "channel": _ref("channels", topic.name),
        "messages": [_ref("channels", topic.name, "messages", topic.payload)],
        "bindings": {"mqtt": {"qos": topic.qos, "retain": topic.retained, "bindingVersion": "0.2.0"}},
    }


def _payloads() -> Node:
    return {
        name: {"name": name, "contentType": _JSON, "payload": _schema("feed.json", name)}
        for name in dict.fromkeys(topic.payload for topic in TOPICS if topic.is_json)
    }


# --- both -------------------------------------------------------------------------------------------------------


def _server(protocol: str, host: str, description: str) -> Node:
    return {
        "host": "{host}",
        "protocol": protocol,
        "description": description,
        "variables": {"host": {"default": host, "description": "name or address, and port"}},
    }


def _schema(path: str, name: str) -> Node:
    return {"schemaFormat": _FORMAT, "schema": {"$ref": f"./{path}#/$defs/{name}"}}


def _ref(*steps: str) -> Node:
    return {"$ref": "#/" + "/".join(steps)}
