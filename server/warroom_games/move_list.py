"""A match as a list of moves, without players and times: for debugging.

The moves become entries of a log, which the fold of `match` plays as it plays any other. Only an edit is no entry.
"""

from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Raw, Struct

from warroom_games.api import IllegalActionError, Seat
from warroom_games.codec import decode_action, decode_options, encode
from warroom_games.log import (
    Acted,
    Agreed,
    Entry,
    Kicked,
    Left,
    LogError,
    Opened,
    Resigned,
    RoomOptions,
    Sat,
    Started,
    TimedOut,
    Wished,
    opening_of,
)
from warroom_games.match import Advanced, Match
from warroom_games.registry import Registry
from warroom_games.replay import Link, entries, seal
from warroom_games.rng import KEY_BYTES, derived_key
from warroom_protocol.codes import ACT_STALE

THINK_MS: Final = 250
"""Room time per move."""
MOST_MOVES: Final = 10_000

_SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=64)]


class _Move(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """The base of all moves."""


class Act(_Move, frozen=True, tag="act"):
    """A seat acts."""

    seat: _SeatNumber
    action: dict[str, Any]


class TimeOut(_Move, frozen=True, tag="clock"):
    """A seat runs out of time, and the clock plays the default action for it."""

    seat: _SeatNumber


class Resign(_Move, frozen=True, tag="resign"):
    """A seat gives up."""

    seat: _SeatNumber


class Draw(_Move, frozen=True, tag="draw"):
    """All seats agree on a draw."""


class Edit(_Move, frozen=True, tag="edit"):
    """The match goes on from another state, which is JSON as the inspector shows it."""

    state: Raw


Move: TypeAlias = Act | TimeOut | Resign | Draw | Edit


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """A local match: what it begins with, and the moves."""

    game: str
    rules_version: int | None = None
    """None: the newest."""
    seats: _SeatNumber | None = None
    """None: the game's usual number."""
    options: dict[str, Any] = {}
    seed: Annotated[str, Meta(max_length=1024)] = ""
    """32 hexadecimal digits are the seed of a replay; any other text is what `warroom simulate --seed` takes."""
    seating: Literal["as_joined", "random"] = "as_joined"
    moves: Annotated[list[Move], Meta(max_length=MOST_MOVES)] = []


def begin(setup: Setup, games: Registry) -> Match:
    """Return the match at its opening position; raise a `RulesError` or `RegistryError` if there is none."""
    match = Match.open(_opened(setup, games), games.get(setup.game, setup.rules_version))
    for entry in _sitting(match.opened.seats):
        match = match.advance(entry).match
    return match


def play(match: Match, move: Move, number: int) -> Advanced:
    """Return the match after move *number*; raise what the rules raise, or a `LogError` if it cannot come next."""
    if isinstance(move, Edit):
        state = msgspec.json.decode(move.state, type=match.game.state_type)
        return Advanced(match.with_state(state), b"")
    return match.advance(_entry(match, move, number))


def file_of(setup: Setup, games: Registry) -> bytes:
    """Return the file of a replay with all moves; raise as `begin` and `play` do, and a `LogError` for an edit."""
    match = Match.open(_opened(setup, games), games.get(setup.game, setup.rules_version))
    log = [Link(encode(match.opened), match.chain)]
    steps = [*_sitting(match.opened.seats), *enumerate(setup.moves)]
    for step in steps:
        if isinstance(step, tuple):
            number, move = step
            if isinstance(move, Edit):
                raise LogError(f"move {number + 1} is an edit, and no replay can have one")
            advanced = play(match, move, number)
        else:
            advanced = match.advance(step)
        match = advanced.match
        log.append(Link(advanced.entry, match.chain))
    return seal(log)


def read_file(data: bytes) -> tuple[Setup, int]:
    """Return the match of a replay, and how many entries were left out because they change nothing in the game.

    Raise `ReplayError` if the file is none. The rules do not run, so it may still hold moves that they refuse.
    """
    log = entries(data)
    opened = opening_of(log)
    places: set[int] = set()
    moves: list[Move] = []
    omitted = 0
    for entry in log[1:]:
        match entry:
            case Sat():
                places.add(entry.place)
            case Left() | Kicked():
                places.discard(entry.place)
            case Started() | Wished():
                pass
            case _:
                move = _move(entry)
                omitted += move is None
                moves += [] if move is None else [move]
    setup = Setup(
        opened.game,
        opened.rules_version,
        len(places),
        msgspec.msgpack.decode(opened.options),
        opened.seed.hex(),
        opened.room_options.seating,
        moves,
    )
    return setup, omitted


def _opened(setup: Setup, games: Registry) -> Opened:
    game = games.get(setup.game, setup.rules_version)
    return Opened(
        room=0,
        game=game.info.id,
        rules_version=game.info.rules_version,
        seats=game.info.usual_seats if setup.seats is None else setup.seats,
        options=encode(decode_options(game, setup.options)),
        room_options=RoomOptions(seating=setup.seating),
        creator=_player(0),
        ref=0,
        seed=_seed(setup.seed),
        opened_ms=0,
    )


def _sitting(seats: int) -> list[Entry]:
    return [*(Sat(seat, _player(seat), f"Seat {seat}") for seat in range(seats)), Started(0)]


def _player(seat: Seat) -> str:
    return f"seat-{seat}"


def _seed(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    return seed if len(seed) == KEY_BYTES else derived_key(text, "match")


def _entry(match: Match, move: Act | TimeOut | Resign | Draw, number: int) -> Entry:
    if match.is_over:
        raise LogError("the match is over")
    match move:
        case Draw():
            return Agreed(match.at, "draw")
        case Resign():
            return Resigned(match.at, move.seat)
        case TimeOut():
            due = _due(match, move.seat)
            action = encode(match.game.default_action(match.state, move.seat))
            return TimedOut(max(match.at, due + 1), move.seat, action, due, 0)
        case Act():
            # The clock may have acted for another seat after the deadline of this one, which was in time.
            arrived = min(match.at + THINK_MS, _due(match, move.seat))
            action = encode(decode_action(match.game, encode(move.action)))
            return Acted(max(match.at, arrived), move.seat, number, action, arrived)


def _due(match: Match, seat: Seat) -> int:
    if seat not in match.asked:
        raise IllegalActionError(ACT_STALE, f"seat {seat} is not to act")
    return match.due(seat)


def _move(entry: Entry) -> Move | None:
    match entry:
        case Acted():
            return Act(entry.seat, msgspec.msgpack.decode(entry.action))
        case TimedOut():
            return TimeOut(entry.seat)
        case Resigned():
            return Resign(entry.seat)
        case Agreed(what="draw"):
            return Draw()
        case _:
            return None
