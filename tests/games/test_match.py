"""The fold of a match: what each entry does, and which entries cannot follow."""

from hashlib import sha256

import pytest
from msgspec.structs import replace
from sealed_bids import GAME, Action, Bid, Peek, SealedBids, State

from warroom_games.api import IllegalActionError, MalformedActionError, OptionsError, Result, Seat
from warroom_games.codec import decode_options, encode
from warroom_games.log import (
    FIRST_LINK,
    Acted,
    Agreed,
    Entry,
    Left,
    LogError,
    Opened,
    Reclaimed,
    Resigned,
    RolledBack,
    RoomOptions,
    Sat,
    Started,
    StoodIn,
    TimedOut,
    Voided,
    Wished,
    commitment,
    decode_entry,
    encode_entry,
    link,
)
from warroom_games.match import Match
from warroom_games.rng import Rng
from warroom_games.saving import dump_match, load_match
from warroom_games.seating import Sitter
from warroom_protocol.codes import RULES_CHANGED

SEED = bytes(range(16))
OPENED = Opened(
    room=7,
    game="sealed_bids",
    rules_version=1,
    seats=3,
    options=encode(decode_options(GAME, {"rounds": 3})),
    room_options=RoomOptions(turn_ms=1_000, seating="as_joined"),
    creator="alice",
    ref=1,
    seed=SEED,
    opened_ms=1_700_000_000_000,
)
SITTING = (Sat(0, "alice", "Alice"), Sat(2, "carol", "Carol"))


def folded(*entries: Entry, opened: Opened = OPENED) -> Match:
    match = Match.open(opened, GAME)
    for entry in entries:
        match = match.advance(entry).match
    return match


def playing() -> Match:
    return folded(*SITTING, Started(100))


def act(match: Match, seat: Seat, action: object, *, at: int | None = None, arrived: int | None = None) -> Acted:
    moment = match.at if at is None else at
    return Acted(moment, seat, 55, encode(action), moment if arrived is None else arrived)


def lowest(match: Match, seat: Seat) -> Bid:
    return Bid(match.state.secrets[seat].hand[0])


def test_a_room_opens_with_empty_places() -> None:
    match = Match.open(OPENED, GAME)
    assert (match.rev, match.phase, match.seats, match.turn_ms) == (1, "lobby", (None, None, None), 1_000)
    assert not match.is_full
    assert match.chain == link(FIRST_LINK, encode(OPENED)) == sha256(bytes(32) + encode(OPENED)).digest()


def test_the_games_usual_turn_is_taken_where_the_room_says_nothing() -> None:
    opened = replace(OPENED, room_options=RoomOptions())
    assert Match.open(opened, GAME).turn_ms == GAME.info.turn_ms


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        pytest.param({"game": "chess"}, LogError, id="another game"),
        pytest.param({"rules_version": 2}, LogError, id="other rules"),
        pytest.param({"seats": 9}, OptionsError, id="too many seats"),
        pytest.param({"options": encode({"rounds": 99})}, OptionsError, id="out of range"),
        pytest.param({"options": encode({"rounds": 3})}, LogError, id="options not in full"),
    ],
)
def test_a_room_that_nobody_could_play_is_not_opened(changes: dict[str, object], error: type[ValueError]) -> None:
    with pytest.raises(error):
        Match.open(replace(OPENED, **changes), GAME)


def test_a_match_whose_options_do_not_fit_together_does_not_start() -> None:
    unplayable = encode(decode_options(GAME, {"rounds": 9, "cards": 3}))
    match = folded(*SITTING, opened=replace(OPENED, options=unplayable))
    with pytest.raises(OptionsError):
        match.advance(Started(100))


def test_players_sit_and_leave() -> None:
    match = folded(*SITTING)
    assert match.seats == (Sitter("alice", "Alice", 2), None, Sitter("carol", "Carol", 3))
    assert (match.seat_of("carol"), match.seat_of("bob")) == (2, None)
    assert match.advance(Left(0)).match.seats == (None, None, Sitter("carol", "Carol", 3))


def test_the_match_starts_with_who_sits_and_a_clock() -> None:
    match = playing()
    assert (match.phase, match.at, match.turn, match.deadline) == ("playing", 100, 1, 1_100)
    assert (match.asked, match.decisions) == (frozenset({0, 1}), (1, 1))
    assert [sitter.player for sitter in match.seats if sitter] == ["alice", "carol"]
    assert match.state == GAME.setup(2, match.options, Rng(SEED))


def test_dealt_seats_come_from_the_generator_before_the_game_does() -> None:
    opened = replace(OPENED, room_options=RoomOptions(seating="random"))
    match = folded(*SITTING, Started(0), opened=opened)
    order, rng = Rng(SEED).shuffle(["alice", "carol"])
    assert tuple(sitter.player for sitter in match.seats if sitter) == order
    assert match.state == GAME.setup(2, match.options, rng)


def lobby(rev: int) -> list[Entry]:
    """Return how Alice and Carol sit down, and how the host changes its mind up to a revision."""
    return [*SITTING, *[Wished((None, "greedy", None))] * (rev - 3)]


def bids(*seats: Seat, opened: Opened = OPENED) -> list[Acted]:
    """Return the first bids of these seats, in a match that starts at once."""
    hands = folded(*SITTING, Started(0), opened=opened).state.secrets
    return [Acted(0, seat, 1, encode(Bid(hands[seat].hand[0])), 0) for seat in seats]


def state_is_covered(match: Match, entry: Entry) -> bool:
    """Return whether the chain after an entry covers the state; it must be one of the two that the format knows."""
    advanced = match.advance(entry)
    bare, state = match.chain + encode(entry), sha256(encode(advanced.match.state)).digest()
    with_state, without = sha256(bare + state).digest(), sha256(bare).digest()
    assert (advanced.match.chain, advanced.state_hash) in ((with_state, state), (without, b""))
    return advanced.match.chain == with_state


PEEK = Acted(0, 0, 1, encode(Peek()), 0)
BOT = StoodIn(0, 1, "bot", "Bot", "greedy")
ONE_ROUND = replace(OPENED, options=encode(decode_options(GAME, {"rounds": 1})))


@pytest.mark.parametrize(
    ("before", "entry", "is_covered"),
    [
        pytest.param(lobby(14), Wished((None, None, None)), False, id="before the match"),
        pytest.param(lobby(15), Wished((None, None, None)), False, id="before the match, entry 16"),
        pytest.param(lobby(9), Voided(0, "deserted"), False, id="an end before the match"),
        pytest.param(lobby(9), Started(0), True, id="the first turn"),
        pytest.param([*lobby(13), Started(0)], PEEK, False, id="entry 15 within a turn"),
        pytest.param([*lobby(14), Started(0)], PEEK, True, id="entry 16 within a turn"),
        pytest.param([*lobby(15), Started(0)], PEEK, False, id="entry 17 within a turn"),
        pytest.param([*lobby(30), Started(0)], PEEK, True, id="entry 32 within a turn"),
        pytest.param([*lobby(9), Started(0)], bids(0)[0], False, id="a seat that is done"),
        pytest.param([*lobby(9), Started(0), *bids(0)], bids(1)[0], True, id="a new turn by an action"),
        pytest.param(
            [*lobby(9), Started(0), *bids(0)],
            TimedOut(1_001, 1, bids(1)[0].action, 1_000, 0),
            True,
            id="a new turn by the clock",
        ),
        pytest.param([*lobby(9), Started(0)], BOT, False, id="a stand-in"),
        pytest.param([*lobby(14), Started(0)], BOT, True, id="a stand-in at entry 16"),
        pytest.param([*lobby(9), Started(0), BOT], Reclaimed(0, 1), False, id="a player who returns"),
        pytest.param([*lobby(9), Started(0)], Agreed(0, "pause"), False, id="a pause"),
        pytest.param([*lobby(9), Started(0)], RolledBack(0, 2), False, id="a rollback"),
        pytest.param([*lobby(14), Started(0)], RolledBack(0, 2), True, id="a rollback at entry 16"),
        pytest.param([*SITTING, Sat(1, "bob", "Bob"), Started(0)], Resigned(0, 1), False, id="one of three resigns"),
        pytest.param([*lobby(9), Started(0)], Resigned(0, 1), True, id="the end by resigning"),
        pytest.param([*lobby(9), Started(0)], Agreed(0, "draw"), True, id="the end by a draw"),
        pytest.param([*lobby(9), Started(0)], Voided(0, "deserted"), True, id="the end without a result"),
        pytest.param([*lobby(9), Started(0)], Voided(0, RULES_CHANGED), False, id="the end in a state unknown"),
        pytest.param([*lobby(14), Started(0)], Voided(0, RULES_CHANGED), False, id="the same at entry 16"),
    ],
)
def test_the_chain_covers_the_state_at_turns_at_the_end_and_every_16th_entry(
    before: list[Entry], entry: Entry, is_covered: bool
) -> None:
    assert state_is_covered(folded(*before), entry) is is_covered


def test_the_chain_covers_the_state_at_the_games_own_end() -> None:
    first, second = bids(0, 1, opened=ONE_ROUND)
    last_turn = folded(*SITTING, Started(0), first, opened=ONE_ROUND)
    ended = last_turn.advance(second).match
    assert (ended.is_over, ended.turn) == (True, last_turn.turn), "the end is no new turn here"
    assert state_is_covered(last_turn, second)


def test_an_action_within_a_turn_leaves_the_deadline_and_asks_the_seat_anew() -> None:
    match = playing()
    advanced = match.advance(act(match, 0, Peek(), at=600))
    assert (advanced.match.deadline, advanced.match.decisions, advanced.match.at) == (1_100, (2, 1), 600)
    assert advanced.events[0].private[0][0] == 0


def test_a_new_turn_has_a_new_deadline_and_new_decisions() -> None:
    match = playing()
    match = match.advance(act(match, 0, lowest(match, 0), at=300)).match
    assert (match.asked, match.decisions) == (frozenset({1}), (1, 1))
    match = match.advance(act(match, 1, lowest(match, 1), at=400)).match
    assert (match.turn, match.deadline, match.decisions) == (2, 1_400, (2, 2))


def test_a_time_out_plays_the_default_action() -> None:
    match = playing()
    entry = TimedOut(1_101, 1, encode(GAME.default_action(match.state, 1)), 1_100, 0)
    assert match.advance(entry).match.asked == {0}


def test_resigning_removes_the_seat_and_may_end_the_match() -> None:
    match = folded(*SITTING, Sat(1, "bob", "Bob"), Started(0))
    match = match.advance(Resigned(5, 1)).match
    assert (match.out, match.result, match.asked) == (frozenset({1}), None, frozenset({0, 2}))
    match = match.advance(Resigned(6, 0)).match
    assert match.is_over
    assert match.result == Result((2, 3, 1), "resigned")
    assert (match.asked, match.deadline) == (frozenset(), None)


def test_the_games_own_end_has_its_own_reason() -> None:
    match = folded(*SITTING, Started(0), opened=replace(OPENED, options=encode(decode_options(GAME, {"rounds": 1}))))
    for seat in (0, 1):
        match = match.advance(act(match, seat, lowest(match, seat))).match
    assert match.result is not None
    assert match.result.reason == "victory"


@pytest.mark.parametrize("entries", [(), SITTING, (*SITTING, Started(9))], ids=["empty", "lobby", "playing"])
def test_anything_can_be_voided_but_once(entries: tuple[Entry, ...]) -> None:
    match = folded(*entries, Voided(10, "test"))
    assert (match.phase, match.result, match.asked) == ("ended", Result((), "void", "test"), frozenset())
    with pytest.raises(LogError, match="is over"):
        match.advance(Voided(11, "test"))


CARD = encode(Bid(1))


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        pytest.param(OPENED, "entry 2: a room is opened once", id="opened twice"),
        pytest.param(Sat(3, "dave", "Dave"), "place 3 is not free", id="no such place"),
        pytest.param(Left(1), "nobody sits at place 1", id="left an open place"),
        pytest.param(Left(9), "nobody sits at place 9", id="left no place"),
        pytest.param(Acted(0, 0, 1, CARD, 0), "no match is running", id="acted in the lobby"),
        pytest.param(Resigned(0, 0), "no match is running", id="resigned in the lobby"),
    ],
)
def test_what_cannot_happen_in_an_empty_lobby(entry: Entry, reason: str) -> None:
    with pytest.raises(LogError, match=reason):
        Match.open(OPENED, GAME).advance(entry)


def test_what_cannot_happen_in_a_lobby() -> None:
    match = folded(*SITTING)
    for entry, reason in ((Sat(0, "bob", "Bob"), "not free"), (Sat(1, "alice", "Alice"), "already sits")):
        with pytest.raises(LogError, match=reason):
            match.advance(entry)
    with pytest.raises(OptionsError, match="played by 2 to 4"):
        match.advance(Left(0)).match.advance(Started(0))


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        pytest.param(Sat(0, "bob", "Bob"), "has started", id="sat"),
        pytest.param(Left(0), "has started", id="left"),
        pytest.param(Started(100), "has started", id="started again"),
        pytest.param(Acted(99, 0, 1, CARD, 99), "goes back from 100 to 99", id="time goes back"),
        pytest.param(Voided(99, ""), "goes back from 100 to 99", id="voided in the past"),
        pytest.param(Acted(200, 2, 1, CARD, 200), "seat 2 is not to act", id="no such seat"),
        pytest.param(Acted(1_200, 0, 1, CARD, 1_101), "arrived at 1101, due by 1100", id="late"),
        pytest.param(Acted(200, 0, 1, CARD, 201), "arrived at 201", id="arrived in the future"),
        pytest.param(Acted(200, 0, 1, b"\x81\xa4type\xd9\x04peek", 200), "canonical", id="not canonical"),
        pytest.param(TimedOut(1_100, 0, CARD, 1_100, 0), "was not over", id="too early"),
        pytest.param(TimedOut(1_150, 0, CARD, 1_100, 50), "was not over", id="credit left"),
        pytest.param(TimedOut(1_500, 0, CARD, 1_000, 0), "was not over", id="another deadline"),
        pytest.param(TimedOut(1_101, 0, encode(Peek()), 1_100, 0), "the clock plays Bid", id="another action"),
        pytest.param(Resigned(200, 2), "seat 2 is not in the match", id="resigned from nowhere"),
    ],
)
def test_what_cannot_happen_in_a_match(entry: Entry, reason: str) -> None:
    with pytest.raises(LogError, match=reason):
        playing().advance(entry)


def test_a_seat_resigns_once() -> None:
    match = folded(*SITTING, Sat(1, "bob", "Bob"), Started(0), Resigned(5, 1))
    with pytest.raises(LogError, match="seat 1 is not in the match"):
        match.advance(Resigned(6, 1))


def test_what_the_rules_refuse_is_told_as_the_rules_tell_it() -> None:
    match = playing()
    with pytest.raises(IllegalActionError) as refused:
        match.advance(act(match, 0, Bid(20)))
    assert refused.value.code == "bid.spent"
    with pytest.raises(MalformedActionError):
        match.advance(Acted(200, 0, 1, b"\xc1", 200))


def test_a_game_that_asks_nobody_and_has_no_result_is_a_bug() -> None:
    class Silent(SealedBids):
        def to_act(self, state: State) -> frozenset[Seat]:
            return frozenset()

    match = Match.open(OPENED, Silent())
    for entry in SITTING:
        match = match.advance(entry).match
    with pytest.raises(AssertionError, match="asks nobody"):
        match.advance(Started(0))


def test_an_action_of_the_clock_is_refused_to_players() -> None:
    class Nudged(SealedBids):
        info = replace(SealedBids.info, clock_action="peek")

    match = Match.open(OPENED, Nudged())
    for entry in (*SITTING, Started(0)):
        match = match.advance(entry).match
    with pytest.raises(IllegalActionError) as refused:
        match.advance(act(match, 0, Peek()))
    assert refused.value.code == "act.clock_only"


def test_a_default_action_that_the_rules_refuse_is_not_played() -> None:
    class Careless(SealedBids):
        def default_action(self, state: State, seat: Seat) -> Action:
            return Bid(20)

    match = Match.open(OPENED, Careless())
    for entry in (*SITTING, Started(0)):
        match = match.advance(entry).match
    with pytest.raises(IllegalActionError):
        match.advance(TimedOut(1_001, 0, encode(Bid(20)), 1_000, 0))


@pytest.mark.parametrize("count", range(7))
def test_a_match_survives_being_stored(count: int) -> None:
    first = playing().state.secrets
    entries: list[Entry] = [
        *SITTING,
        Started(100),
        Acted(200, 0, 1, encode(Bid(first[0].hand[0])), 150),
        Acted(250, 1, 1, encode(Bid(first[1].hand[0])), 250),
        Resigned(300, 1),
    ]
    match = folded(*entries[:count])
    assert load_match(dump_match(match), GAME) == match


def test_entries_have_one_byte_form() -> None:
    for entry in (OPENED, *SITTING, Left(0), Started(4), Acted(1, 0, 2, CARD, 1), Voided(3, "test")):
        assert decode_entry(encode_entry(entry)) == entry
    loose = encode_entry(Left(0)).replace(b"\xa4left", b"\xd9\x04left")
    with pytest.raises(LogError, match="canonical"):
        decode_entry(loose)


@pytest.mark.parametrize("data", [b"", b"\x91\xa4nope", b"\xc1", encode(["left", -1]), b"\x92\xa4left\xa1\xff"])
def test_what_is_no_entry_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(LogError, match="not an entry"):
        decode_entry(data)


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment(SEED) == sha256(SEED).digest()
