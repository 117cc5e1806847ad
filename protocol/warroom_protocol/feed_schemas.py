"""JSON Schemas of what the MQTT feed publishes as JSON; docs/MQTT.md describes the feed."""

from collections.abc import Mapping
from typing import TypeAlias

from warroom_protocol.message_schemas import Schema, definitions, document

Fields: TypeAlias = Mapping[str, Schema]

_WHOLE = {"type": "integer", "minimum": 0}


def feed_schema() -> Schema:
    """Return the schema of all JSON payloads."""
    parts = _Parts()
    bodies = {name: {"title": name, **body} for name, body in _bodies(parts).items()}
    return document("FeedPayload", "A JSON payload of the feed.", bodies, {**parts.known, **bodies})


class _Parts:
    """The fields of the server's messages, from which payloads are put together."""

    def __init__(self) -> None:
        self.known = definitions("server", "twin")
        """The definitions of messages and parts by name."""

    def of(self, name: str, *taken: str, but: tuple[str, ...] = ()) -> Fields:
        """Return the fields of a message or part: those that are *taken*, else all *but* some."""
        fields: Fields = self.known[name]["properties"]
        return {key: fields[key] for key in taken or fields if key not in ("type", *but)}


def _bodies(parts: _Parts) -> dict[str, Schema]:
    """Return the schema of each payload."""
    place = parts.of("Joined", "room", "code")
    rated = _map(parts.of("Rated", but=("place",)))
    return {
        "RoomAbout": _payload(
            "What never changes about a room.", {**place, **parts.of("Joined", "life"), **parts.of("About")}
        ),
        "RoomState": _payload("Everything about a room that has no number.", _state(parts)),
        "RoomSnapshot": _payload(
            "The public view, for reading.", parts.of("Snapshot", but=("q", "private", "private_sum"))
        ),
        "ListedRoom": _payload("A room that is not over.", parts.of("RoomListing")),
        "FinishedMatch": _payload("A match that is over.", parts.of("MatchSummary")),
        "RatedMatch": _payload(
            "A match that was rated, with the new ratings of its players.",
            {**place, **parts.of("RankingList", "game", "bots"), "players": {"type": "array", "items": rated}},
        ),
        "BestPlayers": _payload("The best players of a game, or its best bots.", parts.of("RankingList", but=("ref",))),
        "WantedBot": _payload("A seat wants a bot.", _wanted(parts)),
        "RunningNode": _payload("A node that is running.", _node(parts)),
        "PublicNotice": _payload("Something that everyone should know.", parts.of("Notice")),
    }


def _state(parts: _Parts) -> Fields:
    rematch = _map({"room": parts.of("Moved", "to")["to"], **parts.of("Moved", "code")})
    return {
        **parts.of("Joined", "life"),
        **parts.of("Seats"),
        **parts.of("Paused", "at", "left_ms"),
        "wall_ms": {"description": "the time at `at`, in milliseconds since 1970", **_WHOLE},
        "paused": parts.of("Paused", "reason")["reason"],
        "ended": {"description": "the result; null: the match is not over", **_or_null(_map(parts.of("Ended")))},
        "moved": {"description": "the room of the rematch, if there is one", **_or_null(rematch)},
    }


def _wanted(parts: _Parts) -> Fields:
    any_bot = {"description": "the bot that is wanted; null: any", **_or_null({"type": "string"})}
    claim_ms = {"description": "how long the ticket is valid, in milliseconds", **_WHOLE}
    return {
        **parts.of("Joined", "room", "code"),
        **parts.of("Summon", "game", "ticket"),
        "bot": any_bot,
        "claim_ms": claim_ms,
    }


def _node(parts: _Parts) -> Fields:
    games = {"description": "the games that it hosts", "type": "array", "items": {"type": "string"}}
    beat_ms = {"description": "when it last said that it runs, in milliseconds since 1970", **_WHOLE}
    return {**parts.of("Welcome", "server"), "games": games, "beat_ms": beat_ms}


def _payload(description: str, fields: Fields) -> Schema:
    """Return the schema of a payload; fields may be added to it at any time."""
    node = {"description": "the node that published it", "type": "string"}
    return {"description": description, **_map({"node": node, **fields})}


def _map(fields: Fields) -> Schema:
    return {"type": "object", "properties": dict(fields), "required": list(fields)}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}
