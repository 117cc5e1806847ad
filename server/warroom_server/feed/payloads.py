"""The payloads of the feed: readable JSON, except for the numbered frames of a room."""

from collections.abc import Iterable
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from warroom_protocol.codec import decode_server
from warroom_protocol.messages import Ended, Joined, Moved, Notice, Paused, RankingList, Seats, ServerMessage, Snapshot
from warroom_protocol.readable import named
from warroom_protocol.rooms import room_code

M = TypeVar("M", bound=Struct)

TIMES: Final = frozenset({"at", "left_ms", "wall_ms"})
"""Fields of a state that tell the time: a state in which nothing else changed is no news."""
_SPECTATORS_OWN: Final = ("q", "private", "private_sum")
"""Fields of a snapshot that are always empty for a spectator."""

json = msgspec.json.Encoder().encode


class Presence(Struct, frozen=True):
    """A node that is online: its id, version and games, and when it last said so."""

    node: str
    server: str
    games: tuple[str, ...]
    beat_ms: int


class Wanted(Struct, frozen=True):
    """A seat that wants a bot (None: any); the bot shows *ticket* on the websocket, with the bot key."""

    room: int
    code: str
    game: str
    ticket: int
    bot: str | None
    claim_ms: int


def signed(node: str, message: Struct) -> bytes:
    """Return a message with the names of its fields, and the node that publishes it."""
    return json({"node": node, **named(message)})


def about(joined: Joined, node: str) -> bytes:
    """Return what never changes about a room, and its node."""
    return json({"node": node, "room": joined.room, "code": joined.code, "life": joined.life, **named(joined.about)})


def state(known: Iterable[ServerMessage], **fields: object) -> dict[str, object]:
    """Return what of a room has no number, from the latest messages; *fields* come first."""
    rest: dict[str, object] = {"at": None, "paused": None, "left_ms": None, "ended": None, "moved": None}
    for message in known:
        match message:
            case Seats():
                fields |= named(message)
            case Paused():
                rest |= {"at": message.at, "paused": message.reason, "left_ms": message.left_ms}
            case Ended():
                rest["ended"] = named(message)
            case Moved():
                # Without the key of a private room, which is secret; a public room has none.
                rest["moved"] = {"room": message.to, "code": message.code}
            case _:
                pass
    return fields | rest


def snapshot(message: Snapshot, node: str) -> bytes:
    """Return the readable twin of a snapshot."""
    fields = {name: value for name, value in named(message).items() if name not in _SPECTATORS_OWN}
    return json({"node": node, **fields})


def rated(room: int, game: str, players: Iterable[Struct], node: str, *, bots: bool) -> bytes:
    """Return that a match was rated, and the new ratings of its players."""
    ratings = [{name: value for name, value in named(player).items() if name != "place"} for player in players]
    match = {"room": room, "code": room_code(room), "game": game, "bots": bots}
    return json({"node": node, **match, "players": ratings})


def ranking(best: RankingList, node: str) -> bytes:
    """Return the best players or bots of a game."""
    return json({"node": node, **{name: value for name, value in named(best).items() if name != "ref"}})


def notice(payload: bytes, node: str) -> bytes:
    """Return an encoded notice of a room or of the whole node, in readable form."""
    return signed(node, decoded(payload, Notice))


def decoded(payload: bytes, kind: type[M]) -> M:
    """Return an encoded message that has the name of its *kind*."""
    message = decode_server(payload)
    assert isinstance(message, kind), "that is its name"
    return message
