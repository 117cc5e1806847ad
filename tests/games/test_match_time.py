"""The fold of a match: banks, credit, pauses, draws, bots that stand in, and players who were sent away."""

import pytest
from msgspec.structs import replace
from sealed_bids import GAME, Bid, Peek, SealedBids

from warroom_games.api import AnyGame, Result, Seat
from warroom_games.codec import decode_options, encode
from warroom_games.log import (
    Acted,
    Agreed,
    Entry,
    Kicked,
    Left,
    LogError,
    Opened,
    Reclaimed,
    Resigned,
    RoomOptions,
    Sat,
    Started,
    StoodIn,
    TimedOut,
    Voided,
    Wished,
    decode_entry,
    encode_entry,
)
from warroom_games.match import Match
from warroom_games.saving import dump_match, load_match

OPENED = Opened(
    room=7,
    game="sealed_bids",
    rules_version=1,
    seats=2,
    options=encode(decode_options(GAME, {"rounds": 3})),
    room_options=RoomOptions(turn_ms=2_000, bank_ms=5_000, increment_ms=300, seating="as_joined"),
    creator="alice",
    ref=1,
    seed=bytes(16),
    opened_ms=0,
)
ALICE, BOB = 0, 1


class WithoutDraws(SealedBids):
    info = replace(SealedBids.info, has_draws=False)


def playing(game: AnyGame = GAME, **options: int) -> Match:
    """Return a match that has just started, at room time 0."""
    match = Match.open(replace(OPENED, room_options=replace(OPENED.room_options, **options)), game)
    return folded(match, Sat(0, "alice", "Alice"), Sat(1, "bob", "Bob"), Started(0))


def folded(match: Match, *entries: Entry) -> Match:
    """Return the match after more entries, having stored and restored it before each."""
    for entry in entries:
        assert load_match(dump_match(match), match.game) == match
        match = match.advance(decode_entry(encode_entry(entry))).match
    return match


def bid(match: Match, seat: Seat, arrived: int, *, credit: int = 0) -> Acted:
    return Acted(arrived, seat, 55, encode(Bid(match.state.secrets[seat].hand[0])), arrived, credit)


def peek(seat: Seat, arrived: int) -> Acted:
    return Acted(arrived, seat, 56, encode(Peek()), arrived)


def timed_out(match: Match, seat: Seat, at: int, *, credit: int = 0) -> TimedOut:
    return TimedOut(at, seat, encode(GAME.default_action(match.state, seat)), match.due(seat), credit)


def banks(match: Match) -> list[int]:
    return [clock.bank for clock in match.clocks]


# --- banks ----------------------------------------------------------------------------------------------------------


def test_each_seat_of_a_simultaneous_turn_uses_its_own_bank_and_pays_when_the_turn_is_over() -> None:
    match = playing()
    assert (match.deadline, match.due(ALICE)) == (2_000, 7_000)
    match = folded(match, bid(match, ALICE, 500))
    assert banks(match) == [5_000, 5_000]
    match = folded(match, bid(match, BOB, 6_400))
    assert (match.turn, match.deadline, banks(match)) == (2, 8_400, [5_300, 900])


def test_several_actions_in_one_turn_are_one_increment_and_the_last_of_them_tells_what_was_used() -> None:
    match = playing()
    match = folded(match, peek(ALICE, 2_500))
    assert match.due(ALICE) == 7_000
    match = folded(match, bid(match, ALICE, 3_000), bid(match, BOB, 3_100))
    assert banks(match) == [4_300, 4_200]


def test_a_time_out_empties_the_bank_but_nobody_can_see_it_before_the_turn_is_over() -> None:
    match = playing()
    match = folded(match, timed_out(match, ALICE, 7_001))
    assert (banks(match), match.clocks[ALICE].missed) == ([5_000, 5_000], 0)
    match = folded(match, replace(bid(match, BOB, 6_000), at=7_002))
    assert banks(match) == [0, 1_300]


def test_a_seat_that_is_removed_ends_the_turn_for_those_who_acted() -> None:
    opened = replace(OPENED, seats=3)
    match = Match.open(opened, GAME)
    match = folded(match, *(Sat(place, name, name) for place, name in enumerate(("a", "b", "c"))), Started(0))
    match = folded(match, bid(match, 0, 100), bid(match, 1, 2_100), Resigned(2_200, 2))
    assert banks(match) == [5_300, 5_200, 5_000]


def test_the_last_turn_is_settled_too() -> None:
    match = playing()
    for _ in range(3):
        match = folded(match, bid(match, ALICE, match.at + 2_100))
        match = folded(match, bid(match, BOB, match.at))
    assert (match.phase, banks(match)) == ("ended", [5_600, 5_600])


def test_an_action_after_the_bank_is_late() -> None:
    match = playing()
    with pytest.raises(LogError, match="arrived at 7001, due by 7000"):
        match.advance(bid(match, ALICE, 7_001))
    with pytest.raises(LogError, match="was not over"):
        match.advance(timed_out(match, ALICE, 7_000))


# --- credit ---------------------------------------------------------------------------------------------------------


def test_credit_is_used_after_the_bank_and_paid_when_the_turn_is_over() -> None:
    match = playing()
    assert match.most_credit(ALICE) == 100
    match = folded(match, bid(match, ALICE, 7_060, credit=80))
    match = folded(match, bid(match, BOB, 7_061, credit=100))
    assert banks(match) == [300, 300]
    assert [clock.allowance for clock in match.clocks] == [140, 139]


@pytest.mark.parametrize(
    ("arrived", "credit", "reason"),
    [
        pytest.param(7_081, 80, "arrived at 7081", id="beyond the credit"),
        pytest.param(6_999, 80, "due by 7000", id="credit for what was in time"),
        pytest.param(7_050, 101, "at most 100 ms of credit, not 101", id="beyond the quota"),
    ],
)
def test_credit_that_cannot_be(arrived: int, credit: int, reason: str) -> None:
    match = playing()
    with pytest.raises(LogError, match=reason):
        match.advance(bid(match, ALICE, arrived, credit=credit))


def test_a_short_turn_has_less_credit() -> None:
    match = playing(turn_ms=1_000, bank_ms=0)
    assert match.most_credit(ALICE) == 50
    with pytest.raises(LogError, match="at most 50 ms"):
        match.advance(bid(match, ALICE, 1_051, credit=51))


def test_a_time_out_waits_for_the_credit_and_uses_it_up() -> None:
    match = playing(bank_ms=0)
    with pytest.raises(LogError, match="was not over"):
        match.advance(timed_out(match, ALICE, 2_070, credit=70))
    with pytest.raises(LogError, match="at most 100 ms"):
        match.advance(timed_out(match, ALICE, 3_000, credit=101))
    match = folded(match, timed_out(match, ALICE, 2_071, credit=70))
    match = folded(match, timed_out(match, BOB, 2_071))
    assert [clock.allowance for clock in match.clocks] == [130, 200]


# --- pauses and draws -----------------------------------------------------------------------------------------------


def test_a_pause_is_agreed_and_ended_once() -> None:
    match = folded(playing(), Agreed(500, "pause"))
    assert match.is_halted
    with pytest.raises(LogError, match="the match is already paused"):
        match.advance(Agreed(500, "pause"))
    match = folded(match, Agreed(500, "resume"))
    assert not match.is_halted
    with pytest.raises(LogError, match="the match is not paused"):
        match.advance(Agreed(500, "resume"))


def test_nobody_acts_or_runs_out_of_time_in_a_pause() -> None:
    match = folded(playing(), Agreed(500, "pause"))
    for entry in (bid(match, ALICE, 600), timed_out(match, ALICE, 9_000)):
        with pytest.raises(LogError, match="the match is paused"):
            match.advance(entry)


def test_a_match_can_end_in_a_pause_which_then_is_none() -> None:
    match = folded(playing(), Agreed(500, "pause"), Resigned(500, ALICE))
    assert (match.is_halted, match.phase) == (False, "ended")


def test_a_draw_is_for_games_that_have_one() -> None:
    with pytest.raises(LogError, match="has no draws"):
        playing(WithoutDraws()).advance(Agreed(1, "draw"))
    match = folded(playing(), Agreed(1, "draw"))
    assert (match.result, match.asked, match.deadline) == (Result((1, 1), "draw"), frozenset(), None)


def test_who_left_before_a_draw_ranks_below_those_who_agreed() -> None:
    match = Match.open(replace(OPENED, seats=3), GAME)
    match = folded(match, *(Sat(place, name, name) for place, name in enumerate(("a", "b", "c"))), Started(0))
    match = folded(match, Resigned(1, 1), Agreed(2, "draw"))
    assert match.result == Result((1, 3, 1), "draw")


# --- people ---------------------------------------------------------------------------------------------------------


def test_a_bot_stands_in_and_the_owner_takes_the_seat_back() -> None:
    match = playing()
    match = folded(match, timed_out(match, ALICE, 7_001), StoodIn(7_002, ALICE, "robot", "Robot", "greedy"))
    assert (match.seat_of("alice"), match.seat_played_by("alice"), match.seat_played_by("robot")) == (0, None, 0)
    assert (match.holder(ALICE).bot, match.holder(ALICE).since) == ("greedy", match.rev)
    assert match.sitting() == (("alice", "robot"), ("bob",))
    assert match.clocks[ALICE].missed == 0
    match = folded(match, StoodIn(7_003, ALICE, "other", "Other", "greedy"), Reclaimed(7_004, ALICE))
    assert (match.seat_played_by("other"), match.returning, match.at) == (0, frozenset({ALICE}), 7_004)
    assert load_match(dump_match(match), GAME) == match
    match = folded(match, replace(bid(match, BOB, 7_000), at=7_005))
    assert (match.seat_played_by("alice"), match.seat_played_by("other"), match.returning) == (0, None, frozenset())
    assert match.clocks[ALICE].missed == 0


def test_a_turn_in_which_the_seat_acted_before_the_clock_is_no_missed_one() -> None:
    match = folded(playing(bank_ms=0), peek(ALICE, 500))
    assert match.misses_left(ALICE) is None
    match = folded(match, timed_out(match, ALICE, 2_001))
    match = folded(match, timed_out(match, BOB, 2_001))
    assert [clock.missed for clock in match.clocks] == [0, 1]
    assert [match.misses_left(seat) for seat in (ALICE, BOB)] == [2, 1]


def test_a_room_without_stand_ins_has_nothing_to_warn_of() -> None:
    assert playing(timeouts=0).misses_left(ALICE) is None


class Gentle(SealedBids):
    info = replace(SealedBids.info, spared_turns=2)


def test_a_game_may_spare_the_first_turns_of_each_seat() -> None:
    match = playing(Gentle(), bank_ms=0)
    assert match.misses_left(ALICE) == 4
    for missed in (0, 0, 1):
        match = folded(match, bid(match, BOB, match.at))
        match = folded(match, timed_out(match, ALICE, match.due(ALICE) + 1))
        assert match.clocks[ALICE].missed == missed


# --- who left -------------------------------------------------------------------------------------------------------

STAND_IN = StoodIn(1, ALICE, "robot", "Robot", "greedy")


def finished(match: Match) -> Match:
    """Return the match after bids of both seats until it is over."""
    while not match.is_over:
        match = folded(match, *(bid(match, seat, match.at) for seat in (ALICE, BOB)))
    return match


def left(match: Match) -> tuple[Seat, ...]:
    assert match.result is not None
    assert load_match(dump_match(match), GAME) == match
    return match.result.left


def test_a_seat_that_a_bot_holds_at_the_end_was_left() -> None:
    match = finished(folded(playing(), STAND_IN))
    stayed = finished(playing())
    assert (left(match), left(stayed)) == ((ALICE,), ())
    assert match.result is not None
    assert replace(match.result, left=()) == stayed.result, "the ranks stay those of the rules"


def test_an_owner_who_is_back_before_the_end_has_not_left() -> None:
    match = folded(playing(), STAND_IN, Reclaimed(2, ALICE))
    assert match.returning == {ALICE}
    assert left(finished(match)) == ()


def test_an_owner_who_asked_for_the_seat_in_the_last_turn_has_it_when_that_is_over() -> None:
    match = folded(playing(), STAND_IN)
    for _ in range(2):
        match = folded(match, *(bid(match, seat, match.at) for seat in (ALICE, BOB)))
    match = folded(match, Reclaimed(match.at, ALICE))
    assert (match.seat_played_by("robot"), match.returning) == (ALICE, frozenset({ALICE}))
    for over in (finished(match), folded(match, Agreed(match.at, "draw")), folded(match, Resigned(match.at, BOB))):
        assert (left(over), over.stand_ins, over.returning) == ((), (None, None), frozenset())


def test_a_seat_that_gave_up_ranks_by_the_rules_even_if_a_bot_had_it() -> None:
    assert left(folded(playing(), STAND_IN, Resigned(2, ALICE))) == ()
    match = folded(playing(), STAND_IN, Resigned(2, BOB))
    assert match.result == Result((1, 2), "resigned", left=(ALICE,))


def test_a_draw_says_who_left_and_a_void_match_nothing() -> None:
    assert left(folded(playing(), STAND_IN, Agreed(2, "draw"))) == (ALICE,)
    assert folded(playing(), STAND_IN, Voided(2, "deserted")).result == Result((), "void", "deserted")


@pytest.mark.parametrize(("bot", "gone"), [("greedy", ()), ("timid", (BOB,))], ids=["the same bot", "another bot"])
def test_a_bot_that_is_replaced_by_one_of_its_name_has_not_left(bot: str, gone: tuple[Seat, ...]) -> None:
    match = Match.open(OPENED, GAME)
    match = folded(match, Sat(0, "alice", "Alice"), Sat(1, "first", "First", "greedy", hired=True), Started(0))
    assert left(finished(folded(match, StoodIn(1, BOB, "second", "Second", bot)))) == gone


def test_a_bot_of_a_player_is_not_the_one_of_the_server() -> None:
    match = Match.open(OPENED, GAME)
    match = folded(match, Sat(0, "alice", "Alice", "greedy"), Sat(1, "bob", "Bob"), Started(0))
    assert left(finished(folded(match, STAND_IN))) == (ALICE,)


def test_a_room_that_ends_before_the_match_was_left_by_nobody() -> None:
    assert folded(Match.open(OPENED, GAME), Voided(0, "deserted")).result == Result((), "void", "deserted")


def test_a_wish_for_bots_holds_until_somebody_sits_there() -> None:
    opened = replace(OPENED, seats=3, bots=(None, "warden", None))
    match = folded(Match.open(opened, GAME), Sat(0, "alice", "Alice"), Wished((None, "warden", "")))
    assert match.wishes == (None, "warden", "")
    match = folded(match, Sat(1, "robot", "Robot", "warden", hired=True), Sat(2, "bob", "Bob"))
    assert (match.wishes, load_match(dump_match(match), GAME)) == ((None, None, None), match)
    assert folded(match, Left(1)).wishes == (None, "warden", None)
    assert folded(match, Kicked(1)).wishes == (None, None, None)
    assert folded(match, Left(1), Left(0), Left(2)).wishes == (None, None, None)


@pytest.mark.parametrize("bots", [("greedy", None), (None,), (None, None, None)], ids=["taken", "few", "many"])
def test_bots_are_wished_for_open_places_only(bots: tuple[str | None, ...]) -> None:
    match = folded(Match.open(OPENED, GAME), Sat(0, "alice", "Alice"))
    with pytest.raises(LogError, match="open places"):
        match.advance(Wished(bots))


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        pytest.param(StoodIn(1, 2, "robot", "", "b"), "seat 2 is not in the match", id="no such seat"),
        pytest.param(StoodIn(1, 0, "bob", "", "b"), "bob already sits", id="a player of the match"),
        pytest.param(Reclaimed(1, 0), "no bot stands in at seat 0", id="nobody stands in"),
        pytest.param(Reclaimed(1, 9), "no bot stands in at seat 9", id="nowhere"),
        pytest.param(Kicked(0), "has started", id="kicked from a match"),
    ],
)
def test_what_cannot_happen_to_seats(entry: Entry, reason: str) -> None:
    with pytest.raises(LogError, match=reason):
        playing().advance(entry)


def test_a_bot_stands_in_at_one_seat_only() -> None:
    match = folded(playing(), StoodIn(1, ALICE, "robot", "Robot", "greedy"))
    with pytest.raises(LogError, match="robot already sits"):
        match.advance(StoodIn(1, BOB, "robot", "Robot", "greedy"))


def test_who_was_sent_away_does_not_sit_down_again() -> None:
    match = folded(Match.open(OPENED, GAME), Sat(0, "alice", "Alice"), Kicked(0))
    assert (match.seats, match.kicked) == ((None, None), frozenset({"alice"}))
    assert load_match(dump_match(match), GAME) == match
    with pytest.raises(LogError, match="alice was removed by the host"):
        match.advance(Sat(1, "alice", "Alice"))
    with pytest.raises(LogError, match="nobody sits at place 1"):
        match.advance(Kicked(1))


@pytest.mark.parametrize(
    ("player", "place"), [pytest.param("bob", 1, id="kept for it"), pytest.param("carol", 0, id="kept for nobody")]
)
def test_a_place_that_is_kept_is_for_its_player(player: str, place: int) -> None:
    match = Match.open(replace(OPENED, reserved=(None, "bob")), GAME)
    assert match.free_place(player) == place
    assert folded(match, Sat(0, "dave", "Dave")).free_place("carol") is None
