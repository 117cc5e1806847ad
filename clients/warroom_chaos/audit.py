"""Compares the replay of a match with the messages that its players received; does no I/O."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from warroom_chaos.match_notes import Expiry, MatchNotes, Move, SeatNotes
from warroom_chaos.wire_taps import SeenVerdict
from warroom_games.codec import encode
from warroom_games.log import Acted, Entry, TimedOut
from warroom_games.registry import Registry
from warroom_games.replay import ReplayError, Verification, entries, verify
from warroom_protocol.codes import END_VOID
from warroom_protocol.messages import Receipt

Count: TypeAlias = Literal["lost", "doubled", "aborted", "unverified", "self_takeovers"]

ROUNDING_MS: Final = 2
"""Times in a log are whole milliseconds."""
RELAY_MS: Final = 100
"""An action relayed by another node is dated back by half a round trip, at most by this much."""


class Damage(Struct, frozen=True, kw_only=True):
    """One violation, and what is known about it."""

    count: Count
    why: str
    room: str = ""
    seat: int | None = None
    action_id: int | None = None
    sent_s: float | None = None
    judged_s: float | None = None


def audit(match: MatchNotes, replay: bytes | str, games: Registry) -> list[Damage]:
    """Return the damages of a match; none if its players lost nothing.

    *replay* is the replay, or the reason why there is none.
    """
    if match.failure is not None:
        return [_damage(match, "aborted", match.failure)]
    if any(seat.ending is None for seat in match.seats) or not match.seats:
        return [_damage(match, "aborted", "the match was not played to its end")]
    found = [_damage(match, "aborted", why) for why in _no_result(match)]
    if isinstance(replay, str):
        return [*found, _damage(match, "unverified", f"there is no replay: {replay}")]
    try:
        verified, log = verify(replay, games), entries(replay)
    except ReplayError as error:
        return [*found, _damage(match, "unverified", str(error))]
    found += [_damage(match, "unverified", why) for why in _contradictions(match, verified)]
    found += _actions(match, log)
    found += [_damage(match, "unverified", why) for why in (*_receipts(match, log), *_clock(match, log))]
    return found


def contradicting(seen: Iterable[SeenVerdict], rooms: Mapping[int, str]) -> list[Damage]:
    """Return the actions that got both an acceptance and a refusal, from one owner or from two."""
    verdicts: defaultdict[tuple[int, int], list[SeenVerdict]] = defaultdict(list)
    for verdict in seen:
        verdicts[verdict.room, verdict.id].append(verdict)
    found = []
    for (room, action), told in verdicts.items():
        codes = [verdict.code for verdict in sorted(told, key=lambda verdict: verdict.at_s)]
        # A refusal may be judged again; an acceptance is final.
        if None in codes and any(code is not None for code in codes[codes.index(None) :]):
            why = f"it was accepted, and told {codes} over the wire"
            found.append(
                Damage(
                    count="doubled",
                    why=why,
                    room=rooms.get(room, str(room)),
                    action_id=action,
                    sent_s=told[0].at_s,
                    judged_s=told[-1].at_s,
                )
            )
    return found


def out_of_time(matches: Iterable[MatchNotes]) -> list[Damage]:
    """Return the turns that timed out: players need a second at most, and longer faults pause the clock."""
    found = []
    for match in matches:
        told = {(expiry.seat, expiry.receipt.deadline): expiry for seat in match.seats for expiry in seat.expiries}
        for expiry in told.values():
            damage = _damage(
                match, "unverified", f"seat {expiry.seat} ran out of time, although no bot thinks that long"
            )
            found.append(replace(damage, seat=expiry.seat, sent_s=expiry.at_s, judged_s=expiry.at_s))
    return found


def _no_result(match: MatchNotes) -> Iterable[str]:
    for seat in match.seats:
        assert seat.ending is not None
        if seat.ending.reason == END_VOID:
            yield f"it ended without a result: {seat.ending.detail}"
            return


def _contradictions(match: MatchNotes, verified: Verification) -> Iterable[str]:
    """Yield the contradictions between what players saw and the replay."""
    for seat in match.seats:
        assert seat.ending is not None
        if seat.ending.chain != verified.chain.hex():
            yield f"seat {seat.seat} saw it end in chain {seat.ending.chain}, the replay in {verified.chain.hex()}"
        if seat.ending.ranks != verified.result.ranks:
            yield f"seat {seat.seat} saw ranks {seat.ending.ranks}, the replay has {verified.result.ranks}"
        if seat.commitment not in (None, verified.commitment.hex()):
            yield f"seat {seat.seat} was shown another commitment to the seed"
        if seat.drifts:
            yield f"seat {seat.seat} held a wrong view at {seat.drifts[0]:.3f} s"


def _actions(match: MatchNotes, log: Sequence[Entry]) -> list[Damage]:
    """Compare every verdict with the log."""
    acted = [entry for entry in log if isinstance(entry, Acted)]
    times = Counter(entry.id for entry in acted)
    by_id = {entry.id: entry for entry in acted}
    found = []
    for seat in match.seats:
        for move in seat.moves:
            judged = _judge(move, times[move.id], by_id.get(move.id), seat.seat)
            found += [_damage(match, count, why, seat, move) for count, why in judged]
    sent = {move.id for seat in match.seats for move in seat.moves}
    for entry in acted:
        if entry.id not in sent:
            found.append(_damage(match, "doubled", f"seat {entry.seat} never sent action {entry.id} of the log"))
    return found


def _judge(move: Move, times: int, entry: Acted | None, seat: int | None) -> Iterable[tuple[Count, str]]:
    if times > 1:
        yield "doubled", f"it is {times} times in the log"
    if move.is_accepted:
        if entry is None:
            yield "lost", "it was accepted, and is not in the log"
        elif (entry.seat, entry.action) != (seat, encode(move.action)):
            yield "lost", f"it was accepted, and the log has another one: seat {entry.seat}, {entry.action!r}"
    elif move.code is not None and entry is not None:
        yield "doubled", f"it was refused with {move.code}, and is in the log"
    elif move.judged_s is None:
        yield "lost", f"it was never answered: {move.failure or 'no error either'}"


def _receipts(match: MatchNotes, log: Sequence[Entry]) -> Iterable[str]:
    """Yield the errors in the receipts of time-outs and late actions."""
    expired = [entry for entry in log if isinstance(entry, TimedOut)]
    for seat in match.seats:
        for expiry in seat.expiries:
            if not any(_is_of(expiry, entry) for entry in expired):
                yield f"seat {seat.seat} was told that seat {expiry.seat} ran out of time, and the log does not say so"
        for move in seat.moves:
            if move.receipt is not None and _is_in_time(move.receipt):
                yield f"action {move.id} of seat {seat.seat} was refused as late, and its receipt shows it in time"
    for entry in expired:
        if entry.at < entry.deadline + entry.credit:
            yield f"the clock of seat {entry.seat} ran out at {entry.at}, before its time {entry.deadline}"


def _is_in_time(receipt: Receipt) -> bool:
    return receipt.arrived is not None and receipt.arrived <= receipt.deadline + receipt.credit


def _is_of(expiry: Expiry, entry: TimedOut) -> bool:
    receipt = expiry.receipt
    return (entry.seat, entry.deadline, entry.credit) == (expiry.seat, receipt.deadline, receipt.credit)


def _clock(match: MatchNotes, log: Sequence[Entry]) -> Iterable[str]:
    """Yield where room time ran faster than real time.

    By the clock of this machine, an action arrives after it is sent and before it is answered. So the room time between
    two arrivals is at most the time from sending the first action to the answer to the second, plus the allowance for
    relayed actions.
    """
    moves = {move.id: move for seat in match.seats for move in seat.moves if move.is_accepted}
    acted = [entry for entry in log if isinstance(entry, Acted) and entry.id in moves]
    for earlier, later in pairwise(acted):
        sent_s, judged_s = moves[earlier.id].sent_s, moves[later.id].judged_s
        assert judged_s is not None
        passed_ms = (judged_s - sent_s) * 1000
        if later.arrived - earlier.arrived > passed_ms + RELAY_MS + ROUNDING_MS:
            yield (
                f"{later.arrived - earlier.arrived} ms of room time passed between actions {earlier.id} and {later.id}"
                f" (at {judged_s:.3f} s), in at most {passed_ms:.0f} ms"
            )


def _damage(
    match: MatchNotes, count: Count, why: str, seat: SeatNotes | None = None, move: Move | None = None
) -> Damage:
    return Damage(
        count=count,
        why=why,
        room=match.code or f"of table {match.table}",
        seat=None if seat is None else seat.seat,
        action_id=None if move is None else move.id,
        sent_s=match.began_s if move is None else move.sent_s,
        judged_s=match.failed_s if move is None else move.judged_s,
    )
