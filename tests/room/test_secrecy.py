"""Two worlds that look the same to a viewer are the same bytes for that viewer."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from room_table import ALICE, BOB, CAROL, SPECTATOR, Table
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import Bid, Options, Peek, SealedBids, Secret, State

from warroom_games.rng import Rng
from warroom_protocol import messages as wire
from warroom_server.room import streams
from warroom_server.room.commands import Legal, Resync
from warroom_server.room.viewer_addresses import Local

OPTIONS: dict[str, object] = {"rounds": 4, "cards": 8, "peeks": 2}


class Dealt(SealedBids):
    """Sealed bids in which some seats got other hands, and the deck is reversed."""

    def __init__(self, *, other_hands: tuple[int, ...], other_deck: bool) -> None:
        self._other_hands = other_hands
        self._other_deck = other_deck

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        state = super().setup(seats, options, rng)
        secrets = tuple(
            replace(secret, hand=_exchanged(secret)) if seat in self._other_hands else secret
            for seat, secret in enumerate(state.secrets)
        )
        return State(state.table, secrets, state.deck[::-1] if self._other_deck else state.deck)


def _exchanged(secret: Secret) -> tuple[int, ...]:
    return tuple(card for card in range(1, 9) if card not in secret.hand)


def worlds(hidden_from: str) -> tuple[Table, Table]:
    """Return a table, and one that looks the same to everybody except the seats whose hands differ."""
    hands = {"spectator": (ALICE, BOB, CAROL), "carol": (ALICE, BOB)}[hidden_from]
    real = Table.playing(SEALED_BIDS, 3, options=OPTIONS)
    other = Table.playing(Dealt(other_hands=hands, other_deck=True), 3, options=OPTIONS)
    for table in (real, other):
        table.watch()
    return real, other


Step = Callable[[Table], object]

STEPS: dict[str, Step] = {
    "alice peeks": lambda table: table.act(ALICE, Peek(), id=1, turn=1),
    "bob peeks": lambda table: table.act(BOB, Peek(), id=2, turn=1),
    "alice bids": lambda table: table.act(ALICE, lowest(table, ALICE), id=3),
    "alice is refused": lambda table: table.act(ALICE, Bid(20), id=4),
    "bob asks what is legal": lambda table: table.tell(Legal(Local(BOB), 9)),
    "carol asks what is legal": lambda table: table.tell(Legal(Local(CAROL), 9)),
    "carol's bytes are refused": lambda table: table.act(CAROL, b"\xc1", id=5),
    "carol is too early": lambda table: table.act(CAROL, Peek(), id=6, turn=7),
    "a newcomer watches": lambda table: table.watch(200),
    "carol comes on a second device": lambda table: table.join(CAROL, connection=201),
    "carol resumes": lambda table: table.join(CAROL, connection=202, position=wire.Position(1, 1, 1)),
    "carol resyncs": lambda table: table.tell(Resync(Local(CAROL), 9, "")),
    "bob goes": lambda table: table.detach(BOB),
    "time passes": lambda table: table.tell(Legal(Local(SPECTATOR), 9), at=table.now + 10),
}
VIEWERS = (CAROL, SPECTATOR, 200, 201, 202)


def lowest(table: Table, seat: int) -> Bid:
    return Bid(table.room.match.state.secrets[seat].hand[0])


@given(st.lists(st.sampled_from(sorted(STEPS)), max_size=25))
def test_hidden_hands_hidden_bids_and_the_deck_leave_no_trace(names: list[str]) -> None:
    one, other = worlds("carol")
    for name in names:
        STEPS[name](one)
        STEPS[name](other)
    for viewer in VIEWERS:
        assert one.payloads[viewer] == other.payloads[viewer]


@pytest.mark.parametrize("hidden_from", ["spectator", "carol"])
def test_who_did_what_in_secret_leaves_no_trace(hidden_from: str) -> None:
    one, other = worlds(hidden_from)
    STEPS["alice peeks"](one)
    STEPS["alice bids"](one)
    STEPS["bob peeks"](other)
    for table in (one, other):
        STEPS["a newcomer watches"](table)
    for viewer in (SPECTATOR, 200, *((CAROL,) if hidden_from == "carol" else ())):
        assert one.payloads[viewer] == other.payloads[viewer]


def test_how_much_happened_in_secret_does_not_change_what_can_be_resumed() -> None:
    quiet, busy = (Table.playing(SEALED_BIDS, 3, options=OPTIONS) for _ in range(2))
    for seat in (ALICE, BOB):
        busy.act(seat, Peek(), id=100 + seat)
    for table in (quiet, busy):
        for seat in (ALICE, BOB, CAROL):
            table.act(seat, lowest(table, seat), id=seat)
        table.clear()
        table.watch(position=wire.Position(1, 1, 0))
        table.join(CAROL, connection=201, position=wire.Position(1, 1, 2))
    for viewer in (SPECTATOR, 201):
        assert quiet.payloads[viewer] == busy.payloads[viewer]


def test_how_much_happened_in_secret_does_not_change_what_can_be_resumed_after_a_restart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With ten rounds the public stream has eleven frames, and only the busy log is long enough for a snapshot."""
    monkeypatch.setattr(streams, "STORED", 4)
    answers = []
    for peeks in (0, 5):
        table = Table.playing(SEALED_BIDS, 4, options={"rounds": 10, "cards": 20, "peeks": 5})
        for number in range(10 * 4):
            seat = number % 4
            if number < 4 * peeks:
                table.act(seat, Peek())
            if number < 39:
                table.act(seat, lowest(table, seat))
        table.restart(0 if table.snapshots else None)
        table.now += 1_000
        resumed = [table.watch(position=wire.Position(1, p, 0)).sent(SPECTATOR)[0] for p in range(11)]
        answers.append([type(message).__name__ for message in resumed])
        assert bool(table.snapshots) == bool(peeks)
    assert answers[0] == answers[1] == ["Joined"] * 6 + ["Resumed"] * 5


def test_seed_and_chain_are_in_nothing_before_the_end() -> None:
    table = Table.playing(SEALED_BIDS, 3, options=OPTIONS)
    table.watch()
    STEPS["alice peeks"](table)
    secrets = [table.room.match.opened.seed, table.room.match.chain]
    for payloads in table.payloads.values():
        for payload in payloads:
            assert not any(secret in payload or secret.hex().encode() in payload for secret in secrets)
