"""The law of delayed spectators: everything that they get is a function of what happened *delay* turns ago.

It holds while the match runs. Once it is over, they are brought to its end.
"""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from hypothesis_effort import fewer
from room_table import NAMES, SPECTATOR, Table
from sealed_bids import GAME

from warroom_protocol.messages import Position, RoomListing
from warroom_server.room import commands
from warroom_server.room.viewer_addresses import Local

SEATS = 3
SHARED = 2
"""Turns that both worlds have in common."""
TURN_MS = 1_000
OFFERING = 0
"""The only seat that ever offers a draw."""
NEWCOMER, RETURNER, STRANGER = SPECTATOR + 1, SPECTATOR + 2, SPECTATOR + 3
REF = 9_000_000

seats = st.integers(0, SEATS - 1)
deeds = st.one_of(
    st.tuples(st.just("play"), seats, st.integers(0, 9)),
    st.tuples(st.sampled_from(["say", "go", "come", "resign"]), seats, st.just(0)),
    st.tuples(st.sampled_from(["draw", "pause", "resume"]), seats, st.just(0)),
    st.tuples(st.sampled_from(["wait", "outage"]), st.just(0), st.integers(1, TURN_MS)),
)
"""Something that may happen in a room: its name, a seat, and a number."""
futures = st.lists(deeds, max_size=25)


class World:
    """A room with a delayed spectator, in which anything may happen except the end of the match."""

    def __init__(self, delay: int, watch: str) -> None:
        self.table = Table(
            GAME,
            seats=SEATS,
            turn_ms=TURN_MS,
            options={"rounds": 10, "cards": 14, "peeks": 3},
            room_options={"delay": delay, "watch": watch, "timeouts": 0, "grace_ms": None},
        )
        self.table.watch()
        for seat in range(SEATS):
            self.table.join(seat)

    @property
    def reached(self) -> int:
        """The turn that decides how far spectators see."""
        return self.table.room.match.turn

    def do(self, deed: tuple[str, int, int], last: int) -> None:
        """Do something, unless turn *last* is running and might end by it."""
        name, seat, amount = deed
        if name == "wait":
            self._wait(amount, last)
        elif name in ("play", "resign"):
            self._press(deed, is_last=self.reached >= last)
        elif name == "say":
            line = f"word {len(self.table.log)}"
            self.table.request(commands.Say, seat, player=NAMES[seat], name="", text=line)
        elif name == "go":
            self.table.detach(seat)
        elif name == "come":
            self.table.join(seat)
        elif name == "outage":
            self.table.tell(commands.Pause("store"))
            self.table.now += amount
            self.table.tell(commands.Unpause())
        elif name == "draw":
            self.table.request(commands.Offer, OFFERING, what=name, on=True)
        else:
            for each in range(SEATS):
                self.table.request(commands.Offer, each, what=name, on=True)

    def _press(self, deed: tuple[str, int, int], *, is_last: bool) -> None:
        """Do something that may end a turn, if allowed."""
        name, seat, amount = deed
        match = self.table.room.match
        if name == "play" and not (is_last and len(match.asked) == 1):
            actions = list(GAME.legal_actions(match.state, seat))
            if actions:
                self.table.act(seat, actions[amount % len(actions)])
        elif name == "resign" and not is_last and not match.out:
            self.table.request(commands.Resign, seat)

    def _wait(self, ms: int, last: int) -> None:
        """Let time pass with everything that is due, until turn *last* runs."""
        table = self.table
        table.now += ms if self.reached < last else 0
        while (wake_at := table.room.wake_at) is not None and wake_at <= table.now and self.reached < last:
            table.tell(commands.Expire())

    def go_on_to(self, turn: int) -> None:
        """Let everybody return and play until that turn is reached."""
        for seat in range(SEATS):
            self.table.join(seat)
        while self.reached < turn:
            match = self.table.room.match
            if match.is_halted:
                self.do(("resume", 0, 0), turn)
            else:
                self.do(("play", min(match.asked), 0), turn)

    # --- the doors ----------------------------------------------------------------------------------------------

    def knock(self) -> tuple[RoomListing, bool, dict[int, list[bytes]]]:
        """Try everything that a viewer without a seat can try; return everything that it sees."""
        for command in self._tries():
            self.table.tell(command)
        watching = (SPECTATOR, NEWCOMER, RETURNER, STRANGER)
        seen = {connection: self.table.payloads[connection] for connection in watching}
        return self.table.room.listing(), self.table.room.is_publicly_over, seen

    def _tries(self) -> Iterator[commands.Command]:
        yield commands.Watch(Local(NEWCOMER), REF, None, "sam", "Sam")
        yield commands.Watch(Local(RETURNER), REF, Position(1, 1, 0), "sue", "Sue")
        yield commands.Join(Local(STRANGER), REF, "mallory", "Mallory", None, "token", None)
        for connection in (NEWCOMER, STRANGER):
            yield commands.Act(Local(connection), REF, 1, b"\x80", self.table.now)
            yield commands.Resync(Local(connection), REF, "view.gap")
            for kind in (commands.Legal, commands.Resign, commands.Reclaim, commands.Start):
                yield kind(Local(connection), REF)
            yield commands.Fill(Local(connection), REF, None, None)
            yield commands.Kick(Local(connection), REF, 0)
            yield commands.Offer(Local(connection), REF, "draw", True)
            yield commands.Offer(Local(connection), REF, "rematch", True)
            yield commands.Say(Local(connection), REF, "sam", "Sam", "psst")
            yield commands.Mute(Local(connection), REF, NAMES[0], True, False)
            yield commands.Refresh(Local(connection))
            yield commands.Leave(Local(connection), REF)


@fewer(2)
@given(
    behind=st.sampled_from([("public", 1), ("public", 2), ("public", 3), ("all", 2), ("all", 3)]),
    past=st.lists(deeds.filter(lambda deed: deed[0] not in ("resign", "draw")), max_size=10),
    one=futures,
    other=futures,
)
def test_what_a_delayed_spectator_sees_tells_nothing_of_the_turns_since(
    behind: tuple[str, int],
    past: list[tuple[str, int, int]],
    one: list[tuple[str, int, int]],
    other: list[tuple[str, int, int]],
) -> None:
    watch, delay = behind
    worlds = World(delay, watch), World(delay, watch)
    for world, future in zip(worlds, (one, other), strict=True):
        for deed in past:
            world.do(deed, SHARED + 1)
        world.go_on_to(SHARED + 1)
        for deed in future:
            world.do(deed, SHARED + delay)
        world.go_on_to(SHARED + delay)
    for world in worlds:
        world.table.now = max(other.table.now for other in worlds)
    assert worlds[0].knock() == worlds[1].knock()
