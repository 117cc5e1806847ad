"""How far spectators of all hands see: never up to the last turn that a rival has completed."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis_effort import fewer
from msgspec import to_builtins
from msgspec.structs import replace
from room_table import Table
from sealed_bids import GAME as SEALED_BIDS

from warroom_games.api import AnyGame, Event, Seat
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.log import Acted, decode_entry
from warroom_games.match import Match
from warroom_games.rng import Rng
from warroom_games.spectating import least_delay
from warroom_games.strata.rules import GAME as STRATA
from warroom_games.thardferr.rules import GAME as THARDFERR
from warroom_games.tile_blitz.rules import GAME as TILE_BLITZ
from warroom_games.timberwall.rules import GAME as TIMBERWALL
from warroom_server.room import commands
from warroom_server.room.delayed_view import SpectatorDelay
from warroom_server.room.room import Room

MATCHES: list[tuple[AnyGame, dict[str, object]]] = [
    (TILE_BLITZ, {"max_rounds": 20, "rotate_first": True}),
    (GRAPH_BATTLE, {"max_rounds": 20, "attack": "quick", "order": "random_each_round"}),
    (GRAPH_BATTLE, {"max_rounds": 40, "reinforcement": "none", "order": "random_each_round"}),  # skips turns
    (THARDFERR, {"max_turns": 10, "peace_rounds": 0}),
    (THARDFERR, {"max_turns": 10, "peace_rounds": 0, "order": "rotating"}),
    (TIMBERWALL, {"max_turns": 20}),
    (STRATA, {}),
    (SEALED_BIDS, {"rounds": 10, "cards": 12}),
]
NAMES = "ABCDE"
LONGEST = 400
"""The maximum number of actions of one match."""


class Decision(NamedTuple):
    """The facts when a seat was asked: the last entry that spectators have seen (None: nothing), and a rival.

    *completed* is the first entry of the last turn that the rival has completed; None if there is none.
    """

    rev: int
    rival: Seat
    seen: int | None
    completed: int | None


class Watched:
    """A random match with a spectator, and notes on the completed turns of each seat."""

    def __init__(self, game: AnyGame, options: dict[str, object], seats: int, more: int, key: bytes) -> None:
        delay = least_delay(game.info, seats) + more
        self.table = Table(game, seats=seats, options=options, room_options={"watch": "all", "delay": delay}, seed=key)
        self.table.watch()
        for seat in range(seats):
            self.table.join(seat)
        self.decisions: list[Decision] = []
        self.last: dict[Seat, int] = {}
        """By seat, the last entry in which it had a turn."""
        self._rng = Rng(key).spawn()[1]
        self._began: dict[Seat, tuple[int, int]] = {}
        """By seat, the turn of its last action, and the first entry of that turn."""
        self._completed: dict[Seat, int] = {}

    @property
    def match(self) -> Match:
        return self.table.room.match

    def play(self) -> None:
        while not self.match.is_over and len(self.table.log) < LONGEST:
            self._note_decisions()
            before = self.match
            seat, self._rng = self._rng.choice(sorted(before.asked))
            if self._draw(60) == 0:
                self.table.request(commands.Resign, seat)
            else:
                action = before.game.default_action(before.state, seat)
                listed = list(before.game.legal_actions(before.state, seat))
                if self._draw(4) or action not in listed:
                    action = listed[self._draw(len(listed))]
                self.table.act(seat, action)
            self._note_turns(before)
            if self._draw(40) == 0 and not self.match.is_over:
                self._hold_to_the_log()

    def _draw(self, below: int) -> int:
        drawn, self._rng = self._rng.below(below)
        return drawn

    def _note_decisions(self) -> None:
        match, room = self.match, self.table.room
        seen = room.public_match.rev if room._delayed_view.streams.heads.public.number else None
        for seat in match.asked:
            for rival in set(range(len(match.seats))) - {seat} - match.out:
                self.decisions.append(Decision(match.rev, rival, seen, self._completed.get(rival)))

    def _note_turns(self, before: Match) -> None:
        """Note who acted, and who completed a turn: by acting in it, or because it had no action."""
        entry = decode_entry(self.table.log[-1].entry)
        advanced = before.advance(entry)
        if isinstance(entry, Acted):
            began = self._began.get(entry.seat)
            if began is None or began[0] != before.turn:
                self._began[entry.seat] = (before.turn, before.rev + 1)
            self.last[entry.seat] = before.rev + 1
        if advanced.match.turn != before.turn:
            for seat, (turn, rev) in self._began.items():
                if turn == before.turn:
                    self._completed[seat] = rev
            for seat in passed(advanced.events, before.turn):
                self._completed[seat] = self.last[seat] = before.rev + 1

    def _hold_to_the_log(self) -> None:
        again = Room.restore(self.table.game, self.table.stored(), self.table.now)
        assert again.public_match.rev == self.table.room.public_match.rev


def passed(events: tuple[Event, ...], turn: int) -> list[Seat]:
    """Return the seats whose turns, after *turn*, began and ended within one entry."""
    told = [to_builtins(event.public) for event in events]
    return [
        event["seat"]
        for event in told
        if event is not None and event["type"] == "turn_end" and event.get("turn", turn) > turn
    ]


@pytest.mark.parametrize(("game", "options"), MATCHES, ids=[f"{game.info.id} {told}" for game, told in MATCHES])
@fewer(4)
@given(data=st.data())
def test_spectators_of_all_hands_know_nothing_newer_than_each_rivals_last_turn(
    game: AnyGame, options: dict[str, object], data: st.DataObject
) -> None:
    seats = data.draw(st.integers(game.info.min_seats, game.info.max_seats))
    key = data.draw(st.binary(min_size=16, max_size=16))
    watched = Watched(game, options, seats, data.draw(st.integers(0, 1)), key)
    watched.play()
    for decision in watched.decisions:
        if decision.seen is not None and decision.rev < watched.last.get(decision.rival, 0):
            assert decision.completed is not None, decision
            assert decision.seen < decision.completed, decision


def newest(delay: int, turns: str, *, watch: str = "all", out: str = "") -> list[int]:
    """Return how far spectators see in each of some *turns*, from turn 1 on: each asks one seat, all (*) or none (-).

    The seats *out* resign in the last turn.
    """
    seats = [name for name in NAMES if name in turns]
    game = SEALED_BIDS if "*" in turns else GRAPH_BATTLE
    table = Table.playing(game, max(len(seats), 2), room_options={"watch": watch, "delay": delay})
    match = replace(table.room.match, turn=1, asked=asked(turns[0]))
    horizon, seen = SpectatorDelay(match), []
    for turn, name in enumerate(turns, start=1):
        gone = frozenset(map(NAMES.index, out)) if turn == len(turns) else match.out
        if name != "-":
            horizon.follow(replace(match, turn=turn, asked=asked(name), out=gone))
        seen.append(horizon.newest)
    return seen


def asked(name: str) -> frozenset[Seat]:
    return frozenset({0, 1} if name == "*" else {NAMES.index(name)})


@pytest.mark.parametrize(
    ("delay", "turns", "seen"),
    [
        pytest.param(2, "ABAB", [-1, 0, 1, 2], id="two in turn: two turns behind"),
        pytest.param(3, "ABCABC", [-2, -1, 0, 1, 2, 3], id="three in turn: three turns behind"),
        pytest.param(5, "ABAB", [-4, -3, -2, -1], id="as late as the room wants"),
        pytest.param(2, "****", [-1, 0, 1, 2], id="together: two turns behind"),
        pytest.param(2, "ABBAAB", [-1, 0, 0, 2, 2, 4], id="the order turns round: wait for who played first"),
        pytest.param(3, "ABCBCACAB", [-2, -1, 0, 0, 0, 3, 3, 3, 6], id="another begins each round"),
        pytest.param(3, "ABCABABABA", [-2, -1, 0, 1, 2, 2, 2, 5, 6, 7], id="one is out of play: wait for it once"),
        pytest.param(2, "ABA-A-A-A", [-1, 0, 1, 1, 2, 2, 4, 4, 6], id="turns are skipped: a seat may have had one"),
    ],
)
def test_the_newest_turn_that_is_shown(delay: int, turns: str, seen: list[int]) -> None:
    assert newest(delay, turns) == seen


def test_nobody_waits_for_a_seat_that_gave_up() -> None:
    assert newest(3, "ABCABA")[-1] == 2
    assert newest(3, "ABCABA", out="C")[-1] == 3


def test_where_hands_stay_hidden_only_the_delay_counts() -> None:
    assert newest(1, "ABBAAB", watch="public") == [0, 1, 2, 3, 4, 5]
