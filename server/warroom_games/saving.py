"""The byte form of a match, stored so that its whole log need not be folded again."""

import msgspec
from msgspec import Struct

from warroom_games.api import AnyGame, Result, Seat
from warroom_games.clocks import SeatClock
from warroom_games.codec import decode_state, encode, load_options
from warroom_games.log import Opened
from warroom_games.match import Match
from warroom_games.places import Phase
from warroom_games.seating import Sitter


class _Saved(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A match as it is stored: everything that `load_match` cannot derive."""

    opened: Opened
    rev: int
    chain: bytes
    phase: Phase
    seats: tuple[Sitter | None, ...]
    state: bytes | None
    decisions: tuple[int, ...]
    turn: int
    deadline: int | None
    at: int
    out: tuple[Seat, ...]
    result: Result | None
    clocks: tuple[SeatClock, ...]
    stand_ins: tuple[Sitter | None, ...]
    kicked: tuple[str, ...]
    is_halted: bool
    pauses: int
    wishes: tuple[str | None, ...]
    returning: tuple[Seat, ...]
    life: int


_decoder = msgspec.msgpack.Decoder(_Saved)


def dump_match(match: Match) -> bytes:
    """Return the match as bytes for `load_match`."""
    return encode(
        _Saved(
            opened=match.opened,
            rev=match.rev,
            chain=match.chain,
            phase=match.phase,
            seats=match.seats,
            state=None if match.state is None else encode(match.state),
            decisions=match.decisions,
            turn=match.turn,
            deadline=match.deadline,
            at=match.at,
            out=tuple(sorted(match.out)),
            result=match.result,
            clocks=match.clocks,
            stand_ins=match.stand_ins,
            kicked=tuple(sorted(match.kicked)),
            is_halted=match.is_halted,
            pauses=match.pauses,
            wishes=match.wishes,
            returning=tuple(sorted(match.returning)),
            life=match.life,
        )
    )


def load_match(data: bytes, game: AnyGame) -> Match:
    """Return the match that `dump_match` wrote; anything else raises msgspec's error."""
    saved = _decoder.decode(data)
    state = None if saved.state is None else decode_state(game, saved.state)
    return Match(
        game=game,
        opened=saved.opened,
        options=load_options(game, saved.opened.options),
        turn_ms=saved.opened.room_options.turn_ms or game.info.turn_ms,
        rev=saved.rev,
        chain=saved.chain,
        phase=saved.phase,
        seats=saved.seats,
        state=state,
        asked=game.to_act(state) if saved.phase == "playing" else frozenset(),
        decisions=saved.decisions,
        turn=saved.turn,
        deadline=saved.deadline,
        at=saved.at,
        out=frozenset(saved.out),
        result=saved.result,
        clocks=saved.clocks,
        stand_ins=saved.stand_ins,
        kicked=frozenset(saved.kicked),
        is_halted=saved.is_halted,
        pauses=saved.pauses,
        wishes=saved.wishes,
        returning=frozenset(saved.returning),
        life=saved.life,
    )
