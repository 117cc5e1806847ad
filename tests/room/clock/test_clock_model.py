"""The laws of the clock over random schedules of lag, pongs, stalls, outages, pauses and restarts."""

from clock_simulation import World
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis_effort import fewer
from sealed_bids import GAME

from warroom_games.clocks import ALLOWANCE_MS, ALLOWANCE_SAVED_MS
from warroom_games.log import Acted, Entry, Opened, TimedOut, decode_entry
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_server.room.commands import Offer
from warroom_server.room.room import Room

SEATS = 3
PAUSE_MS = 2_000

seats = st.integers(0, SEATS - 1)


class ClockMachine(RuleBasedStateMachine):
    """One room, and a world that keeps its own time."""

    @initialize(
        turn_ms=st.sampled_from([400, 1_000, 6_000]),
        bank_ms=st.sampled_from([0, 0, 150, 2_000]),
        increment_ms=st.sampled_from([0, 0, 40, 500]),
        lateness=st.integers(0, 5),
        rtt_ms=st.sampled_from([0, 60, 400]),
    )
    def begin(self, turn_ms: int, bank_ms: int, increment_ms: int, lateness: int, rtt_ms: int) -> None:
        self.turn_ms = turn_ms
        policies = {"turn_ms": turn_ms, "bank_ms": bank_ms, "increment_ms": increment_ms, "pause_ms": PAUSE_MS}
        # No stand-ins here: other tests cover them, and they would only shorten this match.
        self.world = World(SEATS, lateness=lateness, room_options={**policies, "timeouts": 0, "grace_ms": None})
        self.table = self.world.table
        for player in self.world.players:
            player.rtt_ms = rtt_ms

    # --- what happens -------------------------------------------------------------------------------------------

    @rule(first=seats, choice=st.integers(0, 9), wait=st.integers(0, 300))
    def all_act(self, first: int, choice: int, wait: int) -> None:
        """Let all seats act, one after another."""
        for offset in range(SEATS):
            self.world.send((first + offset) % SEATS, choice)
            self.world.run(wait)

    @rule(seat=seats, choice=st.integers(0, 9), early=st.sampled_from([0, -1]) | st.integers(-130, 30))
    def act_around_the_deadline(self, seat: int, choice: int, early: int) -> None:
        """Let one seat act just before or just after its time is over."""
        match = self.table.room.match
        if seat in match.asked and not self.world.is_held:
            travel = (self.world.players[seat].rtt_ms + 1) // 2
            self.world.run(max(match.due(seat) - early - travel - self.world.play, 0))
            self.world.send(seat, choice)
            self.world.run(travel)

    @rule(ms=st.integers(1, 1_500))
    def time_passes(self, ms: int) -> None:
        self.world.run(ms)

    @rule(turns=st.integers(1, 4))
    def nobody_acts(self, turns: int) -> None:
        """Let whole turns time out, including the credit."""
        for _ in range(turns):
            latest = max((self.table.room.match.due(seat) for seat in self.table.room.match.asked), default=0)
            self.world.run(max(latest - self.world.play, 0) + ALLOWANCE_SAVED_MS + 10)

    @rule(ms=st.integers(51, 3_000))
    def the_loop_stalls(self, ms: int) -> None:
        self.world.stall(ms)

    @rule(seat=seats, rtt_ms=st.integers(0, 400), holds=st.sampled_from([0, 0, 50, 1_000, 14_000]))
    def a_line_changes(self, seat: int, rtt_ms: int, holds: int) -> None:
        self.world.players[seat].rtt_ms = rtt_ms
        self.world.players[seat].holds_pongs_ms = holds

    @rule(ms=st.sampled_from([0, 0, 1, 30, 400]))
    def the_store_takes_its_time(self, ms: int) -> None:
        self.world.store_ms = ms

    @rule(seat=seats, choice=st.integers(0, 9), before=st.integers(0, 300), ms=st.integers(1, 2_000))
    def the_store_is_away(self, seat: int, choice: int, before: int, ms: int) -> None:
        """Lose the store while an action is pending, and get it back."""
        self.world.send(seat, choice)
        self.world.run(before)
        self.world.set_store(is_away=True)
        self.world.run(ms)
        self.world.set_store(is_away=False)
        self.world.run(1)

    @rule(
        seat=seats,
        choice=st.integers(0, 9),
        ms=st.integers(1, PAUSE_MS + 500),
        trouble=st.sampled_from(["", "store", "node"]),
    )
    def all_agree_on_a_pause(self, seat: int, choice: int, ms: int, trouble: str) -> None:
        """Let all agree on a pause while an action is pending, with or without an outage or restart, and resume."""
        self.world.send(seat, choice)
        self._agree("pause")
        self.world.set_store(is_away=trouble == "store")
        if trouble == "node":
            self.world.die(is_written=True)
        self.world.run(ms)
        self.world.send((seat + 1) % SEATS, choice)
        self.world.set_store(is_away=False)
        self.world.run(ms)
        self._agree("resume")

    def _agree(self, what: str) -> None:
        self.table.now = self.world.clock.now()
        for player in self.world.players:
            self.table.request(Offer, player.connection, what=what, on=True)
            self.world.look()
        self.world.run(1)

    @rule(is_written=st.booleans())
    def the_node_dies(self, is_written: bool) -> None:
        self.world.die(is_written=is_written)

    # --- laws ---------------------------------------------------------------------------------------------------

    @invariant()
    def room_time_is_the_time_of_play(self) -> None:
        for play, entry in self.world.entries:
            assert getattr(entry, "at", play) == play

    @invariant()
    def what_arrived_in_time_is_not_refused(self) -> None:
        for sent in self.world.sent.values():
            if sent.verdict is None:
                continue
            assert sent.arrived is not None
            code, receipt = sent.verdict.code, sent.verdict.receipt
            if sent.due is not None and sent.arrived <= sent.due:
                assert code in (None, codes.ACT_PAUSED), sent.verdict
            if code == codes.ACT_LATE:
                assert receipt is not None
                assert receipt.arrived == sent.arrived > receipt.deadline + receipt.credit

    @invariant()
    def nobody_expires_early_or_much_too_late(self) -> None:
        for play, entry in self.world.entries:
            if isinstance(entry, TimedOut):
                assert play > entry.deadline + entry.credit
        match = self.table.room.match
        if not self.world.is_held:
            for seat in match.asked:
                latest = match.due(seat) + match.most_credit(seat) + 1 + self.world.lateness
                # After a stall the room gets its command in the next turn of the loop.
                assert self.world.play <= latest + 1

    @invariant()
    def banks_are_never_below_nothing(self) -> None:
        for clock in self.table.room.match.clocks:
            assert clock.bank >= 0
            assert 0 <= clock.allowance <= ALLOWANCE_SAVED_MS

    def teardown(self) -> None:
        if not hasattr(self, "world"):
            return
        self.world.store_ms = 0
        self.world.set_store(is_away=False)
        self.world.run(1)
        restored = Room.restore(GAME, self.table.stored(), 0)
        assert restored.match == self.table.room.match
        self._check_accounts([decode_entry(logged.entry) for logged in self.table.log])

    def _check_accounts(self, entries: list[Entry]) -> None:
        """Compute from the log how much time each seat may have used in total."""
        opened, *rest = entries
        assert isinstance(opened, Opened)
        match = Match.open(opened, GAME)
        turns, forgiven = [0] * SEATS, [0] * SEATS
        late: dict[int, int] = {}
        for entry in rest:
            before, match = match, match.advance(entry).match
            if isinstance(entry, Acted | TimedOut):
                seat = entry.seat
                over = entry.arrived - before.due(seat) if isinstance(entry, Acted) else entry.credit
                assert over <= self.turn_ms * 5 // 100
                late[seat] = max(late.get(seat, 0), over)
            if match.turn != before.turn or match.is_over:
                for seat in range(SEATS):
                    turns[seat] += seat in match.asked
                    forgiven[seat] += late.pop(seat, 0)
        for seat in range(SEATS):
            assert forgiven[seat] <= ALLOWANCE_MS * turns[seat]


ClockMachine.TestCase.settings = fewer(4, steps=30)
TestClockModel = ClockMachine.TestCase
