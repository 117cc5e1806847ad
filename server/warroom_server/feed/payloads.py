"""What stands in the messages of the feed: JSON that people can read, but for the numbered frames of a room."""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from warroom_protocol.codec import decode_server
from warroom_protocol.messages import (
    Ended,
    Joined,
    MatchSummary,
    Moved,
    Notice,
    Paused,
    Rated,
    RoomListing,
    Seats,
    Snapshot,
)
from warroom_protocol.readable import named
from warroom_protocol.rooms import room_code

_SPECTATORS_OWN = ("q", "private", "private_sum")
"""Fields of a snapshot that are always empty for somebody who only looks on."""

_encode = msgspec.json.Encoder().encode


class Unnumbered(Struct):
    """What of a room has no number: of each the latest holds."""

    seats: Seats | None = None
    paused: Paused | None = None
    ended: Ended | None = None
    moved: Moved | None = None
    wall_ms: int = 0
    """When this was put together, milliseconds since 1970."""

    def tells_what(self, other: "Unnumbered") -> bool:
        """Whether this tells nothing that *other* did not, the time of day apart: who knows one can tell the other."""
        return self._news() == other._news()

    def _news(self) -> tuple[object, ...]:
        paused = self.paused
        return self.seats, paused is None, paused and paused.reason, self.ended, self.moved


class Presence(Struct, frozen=True):
    """A node that is there: who it is, what it runs and hosts, and when it last said so."""

    node: str
    server: str
    games: tuple[str, ...]
    beat_ms: int


class Wanted(Struct, frozen=True):
    """A seat that wants a bot (None: any); whoever brings one shows *ticket* on the websocket, with the bot key."""

    room: int
    code: str
    game: str
    ticket: int
    bot: str | None
    claim_ms: int


def json(payload: Mapping[str, object] | Struct) -> bytes:
    """Return a payload as bytes."""
    return _encode(payload)


def about(joined: Joined, node: str) -> bytes:
    """Return what never changes about a room, and which node has it."""
    return json({"node": node, "room": joined.room, "code": joined.code, "life": joined.life, **named(joined.about)})


def state(room: int, life: int, known: Unnumbered, node: str) -> bytes:
    """Return what of a room has no number."""
    seats, paused = known.seats, known.paused
    fields: dict[str, object] = {"node": node, "room": room, "life": life}
    if seats is not None:
        fields |= named(seats)
    fields |= {
        "at": None if paused is None else paused.at,
        "wall_ms": known.wall_ms,
        "paused": None if paused is None else paused.reason,
        "left_ms": None if paused is None else paused.left_ms,
        "ended": None if known.ended is None else named(known.ended),
        # The key of a private room is nobody's business here, and a public one has none.
        "moved": None if known.moved is None else {"room": known.moved.to, "code": known.moved.code},
    }
    return json(fields)


def snapshot(message: Snapshot, node: str) -> bytes:
    """Return the readable twin of a snapshot."""
    fields = named(message)
    for name in _SPECTATORS_OWN:
        del fields[name]
    return json({"node": node, **fields})


def listing(room: RoomListing, node: str) -> bytes:
    """Return a room as lists show it."""
    return json({"node": node, **named(room)})


def ended(match: MatchSummary, node: str) -> bytes:
    """Return that a match ended, and how."""
    return json({"node": node, **named(match)})


def rated(room: int, game: str, players: Iterable[Rated], node: str) -> bytes:
    """Return that a match was counted, and the ratings of its players since then."""
    ratings = [{name: value for name, value in named(player).items() if name != "place"} for player in players]
    return json({"node": node, "room": room, "code": room_code(room), "game": game, "players": ratings})


def ranking(game: str, size: int, players: Iterable[Rated], node: str) -> bytes:
    """Return the best players of a game."""
    return json({"node": node, "game": game, "size": size, "players": [named(player) for player in players]})


def wanted(seat: Wanted, node: str) -> bytes:
    """Return that a seat wants a bot."""
    return json({"node": node, **named(seat)})


def notice(payload: bytes, node: str) -> bytes:
    """Return an encoded notice that everybody should know of, of one room or of the whole node."""
    message = decode_server(payload)
    assert isinstance(message, Notice), "that is its name"
    return json({"node": node, **named(message)})
