"""The audit finds nothing in a sound match, and every kind of planted damage."""

from collections.abc import Callable
from functools import cache

import msgspec
import pytest
from replays import short_match

from warroom_chaos.audit import audit, contradicting, out_of_time
from warroom_chaos.match_notes import Ending, Expiry, MatchNotes, Move, SeatNotes
from warroom_chaos.wire_taps import SeenVerdict
from warroom_games.log import Acted, commitment
from warroom_games.registry import load_games
from warroom_games.replay import MAGIC, Link, entries, seal
from warroom_protocol.messages import Receipt

LATE = Receipt(deadline=1_000, credit=0, arrived=1_001, judged=1_001)
IN_TIME = Receipt(deadline=1_000, credit=0, arrived=999, judged=1_001)


@cache
def _replay() -> bytes:
    return short_match().replay


def _notes() -> MatchNotes:
    """Return the notes of the players of a short match."""
    match = short_match().match
    log = entries(_replay())
    assert match.result is not None
    ending = Ending(99.0, match.result.reason, match.result.ranks, match.chain.hex(), "")
    shown = commitment(match.opened.seed).hex()
    seats = [SeatNotes(f"bot-{seat}", seat, commitment=shown, ending=ending) for seat in range(2)]
    for entry in log:
        if isinstance(entry, Acted):
            sent_s = entry.arrived / 1000
            action = msgspec.msgpack.decode(entry.action)
            seats[entry.seat].moves.append(Move(entry.id, 1, action, sent_s, judged_s=sent_s + 0.01))
    return MatchNotes(0, "graph_battle", 0.0, room=0, code="ROOM", seats=seats)


def _found(match: MatchNotes, replay: bytes | str) -> list[str]:
    return [damage.count for damage in audit(match, replay, load_games())]


def test_a_match_that_went_well_has_no_damage() -> None:
    match = _notes()
    assert sum(len(seat.moves) for seat in match.seats) > 5
    assert _found(match, _replay()) == []


def _never_in_the_log(match: MatchNotes) -> None:
    match.seats[0].moves.append(Move(12345, 1, {}, 1.0, judged_s=1.1))


def _another_action(match: MatchNotes) -> None:
    match.seats[0].moves[0].action = {"type": "something_else"}


def _never_answered(match: MatchNotes) -> None:
    match.seats[0].moves.append(Move(12345, 1, {}, 1.0, failure="gave up"))


def _refused_and_applied(match: MatchNotes) -> None:
    match.seats[1].moves[0].code = "act.late"


def _never_sent(match: MatchNotes) -> None:
    match.seats[1].moves.pop()


def _void(match: MatchNotes) -> None:
    ending = match.seats[0].ending
    assert ending is not None
    match.seats[0].ending = msgspec.structs.replace(ending, reason="void")


def _unfinished(match: MatchNotes) -> None:
    match.seats[1].ending = None


def _given_up(match: MatchNotes) -> None:
    match.failure = "DisconnectedError: gone"


def _another_chain(match: MatchNotes) -> None:
    ending = match.seats[0].ending
    assert ending is not None
    match.seats[0].ending = msgspec.structs.replace(ending, chain="00")


def _another_seed(match: MatchNotes) -> None:
    match.seats[0].commitment = "00"


def _drifted(match: MatchNotes) -> None:
    match.seats[0].drifts.append(1.0)


def _time_out_that_was_none(match: MatchNotes) -> None:
    match.seats[0].expiries.append(Expiry(1.0, 1, LATE))


def _late_in_time(match: MatchNotes) -> None:
    move = Move(12345, 1, {}, 1.0, judged_s=1.1, code="act.late", receipt=IN_TIME)
    match.seats[0].moves.append(move)


def _fast_clock(match: MatchNotes) -> None:
    for seat in match.seats:
        for move in seat.moves:
            assert move.judged_s is not None
            move.sent_s, move.judged_s = move.sent_s / 4, move.judged_s / 4


@pytest.mark.parametrize(
    ("plant", "count"),
    [
        (_never_in_the_log, "lost"),
        (_another_action, "lost"),
        (_never_answered, "lost"),
        (_refused_and_applied, "doubled"),
        (_never_sent, "doubled"),
        (_void, "aborted"),
        (_unfinished, "aborted"),
        (_given_up, "aborted"),
        (_another_chain, "unverified"),
        (_another_seed, "unverified"),
        (_drifted, "unverified"),
        (_time_out_that_was_none, "unverified"),
        (_late_in_time, "unverified"),
        (_fast_clock, "unverified"),
    ],
)
def test_every_kind_of_damage_is_found(plant: Callable[[MatchNotes], None], count: str) -> None:
    match = _notes()
    plant(match)
    assert set(_found(match, _replay())) == {count}


def test_a_late_action_with_an_honest_receipt_is_no_damage() -> None:
    match = _notes()
    match.seats[0].moves.append(Move(12345, 1, {}, 1.0, judged_s=1.1, code="act.late", receipt=LATE))
    assert _found(match, _replay()) == []


def test_a_match_without_a_replay_or_with_a_changed_one_is_not_verified() -> None:
    assert _found(_notes(), "replay.unknown") == ["unverified"]
    assert _found(_notes(), _replay()[:-1]) == ["unverified"]
    _, links = msgspec.msgpack.decode(_replay()[len(MAGIC) + 1 :])
    assert _found(_notes(), seal([Link(*link) for link in links[:-1]])) == ["unverified"]


@pytest.mark.parametrize(
    ("codes", "is_damage"),
    [
        pytest.param([None], False, id="accepted"),
        pytest.param([None, None], False, id="accepted again"),
        pytest.param(["act.busy", None], False, id="refused, then judged afresh"),
        pytest.param([None, "act.stale"], True, id="accepted, then refused"),
        pytest.param(["act.busy", None, "act.stale"], True, id="refused in the end"),
    ],
)
def test_what_was_accepted_once_stays_accepted_on_the_wire(codes: list[str | None], *, is_damage: bool) -> None:
    seen = [SeenVerdict(float(at), 1, 7, 42, code) for at, code in enumerate(codes)]
    other = SeenVerdict(9.0, 2, 8, 42, "act.stale")
    found = contradicting([*seen, other], {7: "ROOM"})
    assert [(damage.count, damage.room, damage.action_id) for damage in found] == (
        [("doubled", "ROOM", 42)] if is_damage else []
    )


def test_a_turn_that_timed_out_counts_as_lost_time() -> None:
    match = _notes()
    assert out_of_time([match]) == []
    match.seats[0].expiries = [Expiry(1.0, 1, LATE), Expiry(9.0, 1, IN_TIME)]
    match.seats[1].expiries = [Expiry(1.1, 1, LATE)]
    other = _notes()
    other.seats[1].expiries = [Expiry(1.0, 0, msgspec.structs.replace(LATE, deadline=5_000))]
    found = out_of_time([match, other])
    assert [(damage.count, damage.seat) for damage in found] == [("unverified", 1), ("unverified", 0)]
