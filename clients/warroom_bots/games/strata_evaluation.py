"""Evaluates a Strata board for the greedy bot: value of stacks, gain of attacks, dangers.

All values are whole points, so the result is the same on every machine.
"""

from collections import deque
from typing import NamedTuple

from warroom_games.api import Seat
from warroom_games.strata.board import HOMES, NEIGHBOURS, VERTICES
from warroom_games.strata.evaluation import CORNER, exerted, worth
from warroom_games.strata.force import CAP, NEED, PULL
from warroom_games.strata.state import Stack, State, Vertices, stacks_of

WIN = 10**9
"""Value of a decisive win."""

_STACKS = 500
"""Value of the rival's stacks together, on top of each one: the fewer are left, the more each counts."""
_ZEAL = 300
"""Extra value of the rival's stacks, in percent, for a side with twice its pieces: the leader profits from exchanges.
"""
_HOPE = 66
"""Value of an attack some turns ahead, in percent of the same attack now, before the distance is counted."""
_SEEKING = 61
"""Value of an open rival corner, in percent of a held one, before the distance is counted."""
_OPEN_CORNER = CORNER * _SEEKING // 100
_NEARER = 83
"""What remains of a prospect per step of the way, in percent."""
_CROSSING = 18
"""The pieces times energy that take a stack across the middle layer."""
_FEAR = 40
"""How much of the rival's best immediate gain counts as lost, in percent.

Boldness is a choice: a more careful bot beats this one more often, but matches between two such bots end by the rule
far less often (docs/rules/BALANCE.md).
"""

_LAYERS = tuple(vertex.layer for vertex in VERTICES)
_SIDES = tuple((layer > 2) - (layer < 2) for layer in _LAYERS)


def _distances(start: int) -> tuple[int, ...]:
    """Return the distance to each vertex in steps."""
    steps, queue = {start: 0}, deque([start])
    while queue:
        vertex = queue.popleft()
        for other in NEIGHBOURS[vertex]:
            if other not in steps:
                steps[other] = steps[vertex] + 1
                queue.append(other)
    return tuple(steps[vertex] for vertex in range(len(VERTICES)))


_AWAY = tuple(map(_distances, range(len(VERTICES))))
_FADED = tuple(_NEARER**steps * 10**6 // 100**steps for steps in range(1 + max(map(max, _AWAY))))
"""The decay by distance, in millionths."""


class Strike(NamedTuple):
    """A possible attack of a stack, at once or after a move: its origin, and its force where it attacks."""

    source: int
    pieces: int
    energy: int
    force: int


class Clash(NamedTuple):
    """The gain of an attack in points, and what remains of the attacker on the target if it wins."""

    gain: int
    pieces: int
    energy: int


class Evaluation:
    """A board as one seat sees it at its decision. Answers are cached because they are needed many times."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.seat = seat
        self.vertices = state.vertices
        self.own = dict(stacks_of(state.vertices, seat))
        self.rivals = dict(stacks_of(state.vertices, 1 - seat))
        self._zeal = _zeal(self.own, self.rivals)
        self._open_corners = [(home, _OPEN_CORNER) for home in HOMES[1 - seat] if state.vertices[home] is None]
        self._threats = _strikes(state.vertices, self.rivals)
        self._hopes: dict[tuple[int, int, int], int] = {}
        self._aims: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._assaults: dict[tuple[int, int, int, int], int] = {}

    def clash(self, seat: Seat, strike: Strike, defender: Stack, target: int) -> Clash:
        """Return the gain of an attack for *seat*."""
        source, pieces, energy, force = strike
        rival = 1 - seat
        left = abs(pieces - defender.pieces)
        charge = abs(energy - defender.energy) if left else 0
        is_won = force > exerted(defender.pieces, defender.energy, target)
        hurt = worth(rival, defender.pieces, defender.energy, target)
        if seat == self.seat:
            hurt = hurt * self._zeal // 100
        if is_won or not left:
            hurt += _STACKS // len(self.rivals if seat == self.seat else self.own)
        gain = hurt - worth(seat, pieces, energy, source)
        if is_won:
            return Clash(gain + worth(seat, left, charge, target), left, charge)
        return Clash(gain - worth(rival, left, charge, target), 0, 0)

    def danger(self, pieces: int, energy: int, vertex: int, *, but: int | None = None) -> int:
        """Return the rival's gain from its best attack on an own stack like this; *but* is gone."""
        stack, worst = Stack(self.seat, pieces, energy), 0
        for strike in self._threats[vertex]:
            if strike.source != but:
                worst = max(worst, self.clash(1 - self.seat, strike, stack, vertex).gain)
        return worst * _FEAR // 100

    def assault(self, pieces: int, energy: int, source: int) -> int:
        """Return the gain of the best attack from a vertex if a stack like this were there; 0 if none gains."""
        if not exerted(pieces, energy, source):
            return 0
        charges = [
            self.charge(pieces, energy, source, target) for target in NEIGHBOURS[source] if target in self.rivals
        ]
        return max(0, *charges) if charges else 0

    def charge(self, pieces: int, energy: int, source: int, target: int) -> int:
        """Return the gain of an attack minus the rival's best answer."""
        key = pieces, energy, source, target
        if key not in self._assaults:
            self._assaults[key] = self._charged(Strike(source, pieces, energy, exerted(pieces, energy, source)), target)
        return self._assaults[key]

    def victor(self, pieces: int, energy: int, source: int, target: int) -> Clash:
        """Return the gain and the remainder of an attack, ignoring the rival's answer."""
        strike = Strike(source, pieces, energy, exerted(pieces, energy, source))
        return self.clash(self.seat, strike, self.rivals[target], target)

    def _charged(self, strike: Strike, target: int) -> int:
        defender = self.rivals[target]
        clash = self.clash(self.seat, strike, defender, target)
        if len(self.rivals) == 1 and self._is_the_end(strike, defender, clash):
            return WIN
        return clash.gain - (self.danger(clash.pieces, clash.energy, target, but=target) if clash.pieces else 0)

    def _is_the_end(self, strike: Strike, defender: Stack, clash: Clash) -> bool:
        """Whether an attack on the rival's last stack leaves an own one alone on the board."""
        return clash.pieces > 0 or (strike.pieces == defender.pieces and len(self.own) > 1)

    def reach(self, pieces: int, energy: int, source: int, *, is_moved: bool) -> int:
        """Return the gain of the best attack of a stack like this, after a move if one is open."""
        best = self.assault(pieces, energy, source)
        if not is_moved:
            raw = pieces * energy * PULL[source]
            for step in NEIGHBOURS[source]:
                if self.vertices[step] is None and raw >= NEED[step]:
                    best = max(best, self.assault(pieces, energy, step))
        return best

    def hope(self, pieces: int, energy: int, vertex: int) -> int:
        """Return the long-term prospect of a stack like this: a rival's stack to hurt, or an open corner to hold."""
        key = pieces, energy, vertex
        if key not in self._hopes:
            self._hopes[key] = self._hoped(pieces, energy, vertex) if energy else 0
        return self._hopes[key]

    def _hoped(self, pieces: int, energy: int, vertex: int) -> int:
        power, side, away, best = pieces * energy, _SIDES[vertex], _AWAY[vertex], 0
        cost = worth(self.seat, pieces, energy, vertex)
        aims = [(target, prize - cost) for target, prize in self._aims_of(pieces, energy)]
        for target, gain in aims + self._open_corners:
            hope = gain * _FADED[away[target]] // 10**6
            if power < _CROSSING and side * _SIDES[target] < 0:
                hope = hope * power // (2 * _CROSSING)
            if hope > best:
                best = hope
        return best * _HOPE // 100

    def _aims_of(self, pieces: int, energy: int) -> list[tuple[int, int]]:
        """Return the rival's stacks that a stack like this can attack, and the gain, the value of the stack included.

        That is the same from wherever it comes, and so asked often.
        """
        key = pieces, energy
        if key not in self._aims:
            self._aims[key] = [
                (
                    target,
                    self.clash(self.seat, Strike(target, pieces, energy, force), defender, target).gain
                    + worth(self.seat, pieces, energy, target),
                )
                for target, defender in self.rivals.items()
                if (force := exerted(pieces, energy, target))
            ]
        return self._aims[key]


def _zeal(own: dict[int, Stack], rivals: dict[int, Stack]) -> int:
    """Return the value of the rival's losses, in percent of the own."""
    ours, theirs = sum(stack.pieces for stack in own.values()), sum(stack.pieces for stack in rivals.values())
    return 100 + max(-_ZEAL // 2, min(_ZEAL, _ZEAL * (ours - theirs) // (theirs + 3)))


def _strikes(vertices: Vertices, stacks: dict[int, Stack]) -> list[list[Strike]]:
    """Return, by target, the attacks of these stacks in their next turn, each with at most one infusion."""
    strikes: list[list[Strike]] = [[] for _ in vertices]
    for source, stack in stacks.items():
        pieces = stack.pieces
        for energy in (stack.energy, stack.energy + 1):
            raw = pieces * energy * PULL[source]
            if not energy or (energy > stack.energy and raw > CAP):
                continue
            _add_strikes(strikes, source, source, pieces, energy)
            for step in NEIGHBOURS[source]:
                if vertices[step] is None and raw >= NEED[step]:
                    _add_strikes(strikes, source, step, pieces, energy)
    return strikes


def _add_strikes(strikes: list[list[Strike]], source: int, step: int, pieces: int, energy: int) -> None:
    if force := exerted(pieces, energy, step):
        strike = Strike(source, pieces, energy, force)
        for target in NEIGHBOURS[step]:
            strikes[target].append(strike)
