"""Replays: what is sealed can be checked, and nothing in it can be changed unnoticed."""

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace
from sealed_bids import GAME, Action, Bid, Options, Peek, SealedBids, State

from warroom_games.api import Seat, Step
from warroom_games.codec import decode_options, encode
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.log import (
    Acted,
    Entry,
    Left,
    Opened,
    Resigned,
    RoomOptions,
    Sat,
    Started,
    TimedOut,
    Voided,
    commitment,
    link,
)
from warroom_games.match import Match
from warroom_games.registry import Registry
from warroom_games.replay import MAGIC, VERSION, Link, ReplayError, seal, steps, verify
from warroom_games.rng import Rng
from warroom_protocol.codes import RULES_CHANGED

GAMES = Registry([GAME, GRAPH_BATTLE])
OPENED = Opened(
    7, "sealed_bids", 1, 2, encode(decode_options(GAME, {"rounds": 2})),
    RoomOptions(turn_ms=1_000, seating="as_joined"), "alice", 1, bytes(range(16)), 0,
)  # fmt: skip
SITTING = (Sat(0, "alice", "Alice"), Sat(1, "bob", "Bob"))


class Recorder:
    """A match, and the log of what was played."""

    def __init__(self, opened: Opened = OPENED) -> None:
        self.match = Match.open(opened, GAME)
        self.log = [Link(encode(opened), self.match.chain)]

    def add(self, *entries: Entry) -> "Recorder":
        for entry in entries:
            advanced = self.match.advance(entry)
            self.match = advanced.match
            self.log.append(Link(advanced.entry, advanced.match.chain))
        return self

    def bid(self, seat: int, at: int) -> "Recorder":
        card = Bid(self.match.state.secrets[seat].hand[-1])
        return self.add(Acted(at, seat, self.match.rev, encode(card), at))

    def expire(self, seat: int, at: int) -> "Recorder":
        deadline = self.match.deadline or 0
        return self.add(TimedOut(at, seat, encode(GAME.default_action(self.match.state, seat)), deadline, 0))


def recorded() -> Recorder:
    recorder = Recorder().add(Sat(1, "carol", "Carol"), Left(1), *SITTING, Started(0))
    recorder.add(Acted(10, 0, 99, encode(Peek()), 10))
    return recorder.bid(0, 20).bid(1, 30).expire(0, 1_031).expire(1, 1_031)


def test_a_finished_match_is_verified() -> None:
    recorder = recorded()
    verified = verify(seal(recorder.log), GAMES)
    assert verified.result == recorder.match.result
    assert (verified.room, verified.game, verified.rules_version, verified.steps) == (7, "sealed_bids", 1, 5)
    assert [sitter.player for sitter in verified.players if sitter] == ["alice", "bob"]
    assert (verified.seed, verified.commitment) == (OPENED.seed, commitment(OPENED.seed))
    assert verified.chain == recorder.match.chain


def test_a_match_whose_spectators_saw_all_too_early_is_verified() -> None:
    opened = replace(OPENED, room_options=replace(OPENED.room_options, watch="all", delay=0))
    recorder = Recorder(opened).add(*SITTING, Voided(0, "deserted"))
    assert verify(seal(recorder.log), GAMES).result.detail == "deserted"


class Changed(SealedBids):
    """Sealed bids that deal other hands in the same version."""

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        return super().setup(seats, options, rng.spawn()[0])


def test_a_match_that_changed_rules_ended_is_linked_without_a_state_and_verified_by_the_old_rules() -> None:
    recorder = Recorder().add(*SITTING, Started(0)).bid(0, 20)
    before = recorder.match.chain
    recorder.add(Voided(20, RULES_CHANGED))
    assert recorder.match.chain == link(before, encode(Voided(20, RULES_CHANGED)))
    assert verify(seal(recorder.log), GAMES).result.detail == RULES_CHANGED
    with pytest.raises(ReplayError, match=r"the installed rules of sealed_bids version 1 .* entry 4: the hash chain"):
        verify(seal(recorder.log), Registry([Changed()]))


def many_bids() -> Recorder:
    """Return a match of four seats and three rounds, most of whose entries are within a turn."""
    opened = replace(OPENED, seats=4, options=encode(decode_options(GAME, {"rounds": 3})))
    recorder = Recorder(opened).add(*SITTING, Sat(2, "carol", "Carol"), Sat(3, "dave", "Dave"), Started(0))
    for number in range(3):
        for seat in range(4 if number < 2 else 0):  # nothing to peek at in the last round
            recorder.add(Acted(recorder.match.at + 1, seat, recorder.match.rev, encode(Peek()), recorder.match.at + 1))
        for seat in range(4):
            recorder.bid(seat, recorder.match.at + 1)
    assert recorder.match.is_over
    return recorder


TURNS = (6, 14, 22)
COVERED = (*TURNS, 16, 26)
"""The revisions of `many_bids` whose chains cover the state: the turns, the 16th entry, and the end."""


class Astray(SealedBids):
    """Sealed bids in which seat 0 has a point too many from one moment on; all else goes on as before."""

    def __init__(self, since: State) -> None:
        self._since = since

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        return self._led_astray(super().setup(seats, options, rng))

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        step = super().apply(state, seat, action)
        return Step(self._led_astray(step.state), step.events)

    def _led_astray(self, state: State) -> State:
        if state != self._since:
            return state
        first, *others = state.table.scores
        return replace(state, table=replace(state.table, scores=(first + 1, *others)))


@pytest.mark.parametrize("rev", range(TURNS[0], COVERED[-1] + 1))
def test_a_state_that_differs_is_found_at_the_next_covered_entry(rev: int) -> None:
    log = many_bids().log
    state = [step.state for step in steps(seal(log), GAMES)][rev - TURNS[0]]
    found_at = min(covered for covered in COVERED if covered >= rev)
    with pytest.raises(ReplayError, match=f"^entry {found_at}: the hash chain is broken"):
        verify(seal(log), Registry([Astray(state)]))


EVERY_BIT = (*(1 << bit for bit in range(8)), 0xFF)


@pytest.mark.parametrize(
    ("play", "masks"),
    [
        pytest.param(recorded, EVERY_BIT, id="with time-outs"),
        pytest.param(many_bids, (0x01, 0xFF), id="longer than 16 entries"),
        pytest.param(many_bids, EVERY_BIT, id="every bit of the longer one", marks=pytest.mark.long),
    ],
)
def test_any_flipped_byte_is_noticed(play: Callable[[], Recorder], masks: Sequence[int]) -> None:
    data = seal(play().log)
    for index in range(len(data)):
        for mask in masks:
            flipped = bytearray(data)
            flipped[index] ^= mask
            with pytest.raises(ReplayError) as refused:
                verify(bytes(flipped), GAMES)
            assert str(refused.value)


def test_a_flip_is_named_by_its_own_entry_even_within_a_turn() -> None:
    log = many_bids().log
    for number, linked in enumerate(log, start=1):
        for index in range(len(linked.chain)):
            broken = bytearray(linked.chain)
            broken[index] ^= 0x10
            with pytest.raises(ReplayError, match=f"^entry {number}: the hash chain is broken"):
                verify(seal([*log[: number - 1], Link(linked.entry, bytes(broken)), *log[number:]]), GAMES)


def test_a_cut_or_longer_file_is_noticed() -> None:
    data = seal(recorded().log)
    for length in range(len(data)):
        with pytest.raises(ReplayError):
            verify(data[:length], GAMES)
    with pytest.raises(ReplayError, match="damaged"):
        verify(data + b"\x00", GAMES)


def test_a_flip_is_named_by_its_entry() -> None:
    log = recorded().log
    data = seal(log)
    place = data.index(b"Alice")
    with pytest.raises(ReplayError, match="entry 4: the hash chain is broken"):
        verify(data[:place] + b"E" + data[place + 1 :], GAMES)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(b"", "not a Warroom replay", id="empty"),
        pytest.param(b"PNG", "not a Warroom replay", id="something else"),
        pytest.param(MAGIC, r"format \(missing\)", id="no version"),
        pytest.param(MAGIC + b"\x01", "format 01; only 2", id="from the past"),
        pytest.param(MAGIC + bytes([VERSION + 1]), "format 03; only 2", id="from the future"),
        pytest.param(MAGIC + bytes([VERSION]) + b"\xc1", "damaged", id="no MessagePack"),
        pytest.param(MAGIC + bytes([VERSION]) + b"\x92\xc5\x00\x00\x90", "canonical", id="another byte form"),
        pytest.param(MAGIC + bytes([VERSION]) + encode([b"", []]), "not ended", id="no entries"),
    ],
)
def test_what_is_no_replay_is_said_to_be_none(data: bytes, reason: str) -> None:
    with pytest.raises(ReplayError, match=reason):
        verify(data, GAMES)


def test_an_unfinished_match_is_no_replay() -> None:
    with pytest.raises(ReplayError, match="has not ended"):
        verify(seal(Recorder().add(*SITTING, Started(0)).log), GAMES)


def test_a_log_begins_with_its_opening() -> None:
    for log in ([], recorded().log[1:]):
        with pytest.raises(ReplayError, match="start with the opening"):
            seal(log)
    sealed = seal(recorded().log)
    first = encode(Link(recorded().log[0].entry, recorded().log[0].chain))
    second = encode(Link(recorded().log[1].entry, recorded().log[1].chain))
    with pytest.raises(ReplayError, match="entry 1: a log must start with the opening"):
        verify(sealed.replace(first, second, 1), GAMES)


def test_a_seed_that_was_not_committed_to_is_noticed() -> None:
    data = seal(recorded().log)
    with pytest.raises(ReplayError, match="entry 1: the seed does not match the commitment"):
        verify(data.replace(commitment(OPENED.seed), bytes(32)), GAMES)


def test_a_game_that_is_not_installed_is_named() -> None:
    with pytest.raises(ReplayError, match="entry 1: unknown game 'sealed_bids'"):
        verify(seal(recorded().log), Registry([GRAPH_BATTLE]))


def test_a_forged_chain_does_not_help_an_illegal_action() -> None:
    recorder = Recorder().add(*SITTING, Started(0))
    forged = encode(Acted(10, 0, 1, encode(Bid(20)), 10))
    chain = link(recorder.match.chain, forged)
    with pytest.raises(ReplayError, match="entry 5: card 20 is not in your hand"):
        verify(seal([*recorder.log, Link(forged, chain)]), GAMES)


def test_an_action_cannot_be_played_twice_under_one_id() -> None:
    recorder = Recorder(replace(OPENED, options=encode(decode_options(GAME, {"rounds": 3})))).add(*SITTING, Started(0))
    for seat in (0, 1):
        recorder.add(Acted(10, seat, 99, encode(Bid(recorder.match.state.secrets[seat].hand[0])), 10))
    recorder.add(Acted(20, 0, 99, encode(Peek()), 20), Voided(30, "test"))
    with pytest.raises(ReplayError, match="entry 7: seat 0 plays action 99 a second time"):
        verify(seal(recorder.log), GAMES)


def test_steps_tell_who_did_what_and_all_that_was_true() -> None:
    shown = list(steps(seal(recorded().log), GAMES))
    assert [(step.step, step.kind, step.seat, step.by) for step in shown] == [
        (0, "start", None, None),
        (1, "action", 0, "player"),
        (2, "action", 0, "player"),
        (3, "action", 1, "player"),
        (4, "action", 0, "clock"),
        (5, "action", 1, "clock"),
    ]
    assert shown[1].action == Peek()
    assert shown[1].events[0].private == ((0, {"type": "peeked", "prize": shown[0].state.deck[0]}),)
    assert shown[5].state == recorded().match.state
    assert shown[3].public == GAME.public(shown[3].state)
    assert shown[3].private == (shown[3].state.secrets[0], shown[3].state.secrets[1])
    assert [step.at for step in shown] == [0, 10, 20, 30, 1_031, 1_031]


def test_resignations_and_voids_are_steps_too() -> None:
    resigned = Recorder().add(*SITTING, Started(0), Resigned(5, 1))
    assert [step.kind for step in steps(seal(resigned.log), GAMES)] == ["start", "resign"]
    voided = Recorder().add(*SITTING, Started(0), Voided(5, "test"))
    assert [step.kind for step in steps(seal(voided.log), GAMES)] == ["start", "void"]
    assert verify(seal(voided.log), GAMES).result.reason == "void"
    assert list(steps(seal(Recorder().add(Voided(0, "empty")).log), GAMES)) == []
