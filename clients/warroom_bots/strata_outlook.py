"""What the greedy bot of Strata makes of a board: what stacks are worth, what attacks bring, and what it has to fear.

Everything is counted in points, and in whole numbers, so that it comes out alike on every machine.
"""

from collections import deque
from typing import NamedTuple

from warroom_games.api import Seat
from warroom_games.strata.board import HOMES, NEIGHBOURS, VERTICES, WORTH
from warroom_games.strata.force import CAP, NEED, PULL
from warroom_games.strata.state import Stack, State, Vertices, stacks_of

WIN = 10**9
"""What ends the match in one's favour."""

_PIECE = 47
_ENERGY = 95
_POWER = 28
"""What pieces times energy is worth, up to what a stack can use on every layer."""
_MOST_POWER = 30
_DOMINION = 35
_CORNER = 5_500
"""What a stack on the rival's home corner is worth: nothing is placed there any more."""
_STACKS = 500
"""What the rival's stacks are worth together besides each by itself: the fewer are left, the dearer each of them."""
_ZEAL = 300
"""How much dearer the rival's stacks are, in percent, to who has twice its pieces: who is ahead gains by exchanges."""
_HOPE = 66
"""What an attack some turns ahead is worth, in percent of the same attack at once, before the way there is counted."""
_SEEKING = 61
"""What an open corner of the rival is worth, in percent of one that is held, before the way there is counted."""
_NEARER = 83
"""What is left of a hope, in percent, with each step of the way."""
_CROSSING = 18
"""The pieces times energy that take a stack across the middle layer."""
_FEAR = 40
"""How much of what the rival can win at once is taken for lost, in percent.

Boldness is a choice: a bot with more fear, or less hope and zeal, wins more matches against this one, but between two
such bots far fewer end by the rule (docs/rules/BALANCE.md).
"""

_LAYERS = tuple(vertex.layer for vertex in VERTICES)
_DOMINIONS = tuple(_DOMINION * WORTH[layer] for layer in _LAYERS)
_SIDES = tuple((layer > 2) - (layer < 2) for layer in _LAYERS)


def _distances(start: int) -> tuple[int, ...]:
    """Return how many steps each vertex is away."""
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
"""What is left of a million, by the steps of the way."""


class Strike(NamedTuple):
    """An attack that a stack can make, on the spot or after a move: where it stood, and its force where it attacks."""

    source: int
    pieces: int
    energy: int
    force: int


class Clash(NamedTuple):
    """What an attack brings its side, in points, and what is left of the attacker on the target, if it wins."""

    gain: int
    pieces: int
    energy: int


def exerted(pieces: int, energy: int, vertex: int) -> int:
    """Return the force that so many pieces with that energy have in combat, in sixths."""
    raw = pieces * energy * PULL[vertex]
    if raw < NEED[vertex]:
        return 0
    return raw if raw < CAP else CAP


class Outlook:
    """A board as one seat sees it when it is asked. Answers are remembered: the same ones are wanted many times."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.seat = seat
        self.vertices = state.vertices
        self.own = dict(stacks_of(state.vertices, seat))
        self.rivals = dict(stacks_of(state.vertices, 1 - seat))
        self._zeal = _zeal(self.own, self.rivals)
        self._open = [home for home in HOMES[1 - seat] if state.vertices[home] is None]
        self._threats = _strikes(state.vertices, self.rivals)
        self._hopes: dict[tuple[int, int, int], int] = {}
        self._assaults: dict[tuple[int, int, int, int], int] = {}

    def worth(self, seat: Seat, pieces: int, energy: int, vertex: int) -> int:
        """Return what a stack is worth to its seat where it stands."""
        if not pieces:
            return 0
        power = pieces * energy
        worth = _PIECE * pieces + _ENERGY * energy + _POWER * (power if power < _MOST_POWER else _MOST_POWER)
        if power * PULL[vertex] >= NEED[vertex]:
            worth += _DOMINIONS[vertex]
            if vertex in HOMES[1 - seat]:
                worth += _CORNER
        return worth

    def clash(self, seat: Seat, strike: Strike, defender: Stack, target: int) -> Clash:
        """Return what an attack of *seat* brings it."""
        source, pieces, energy, force = strike
        rival = 1 - seat
        left = abs(pieces - defender.pieces)
        charge = abs(energy - defender.energy) if left else 0
        is_won = force > exerted(defender.pieces, defender.energy, target)
        hurt = self.worth(rival, defender.pieces, defender.energy, target)
        if seat == self.seat:
            hurt = hurt * self._zeal // 100
        if is_won or not left:
            hurt += _STACKS // len(self.rivals if seat == self.seat else self.own)
        gain = hurt - self.worth(seat, pieces, energy, source)
        if is_won:
            return Clash(gain + self.worth(seat, left, charge, target), left, charge)
        return Clash(gain - self.worth(rival, left, charge, target), 0, 0)

    def danger(self, pieces: int, energy: int, vertex: int, *, but: int | None = None) -> int:
        """Return what the rival wins by its best attack on an own stack, if there were one like this; *but* is gone."""
        stack, worst = Stack(self.seat, pieces, energy), 0
        for strike in self._threats[vertex]:
            if strike.source != but:
                worst = max(worst, self.clash(1 - self.seat, strike, stack, vertex).gain)
        return worst * _FEAR // 100

    def assault(self, pieces: int, energy: int, source: int) -> int:
        """Return what the best attack from a vertex brings, were a stack like this there; 0 if none brings anything."""
        if not exerted(pieces, energy, source):
            return 0
        charges = [
            self.charge(pieces, energy, source, target) for target in NEIGHBOURS[source] if target in self.rivals
        ]
        return max(0, *charges) if charges else 0

    def charge(self, pieces: int, energy: int, source: int, target: int) -> int:
        """Return what an attack brings, less what the rival can answer."""
        key = pieces, energy, source, target
        if key not in self._assaults:
            self._assaults[key] = self._charged(Strike(source, pieces, energy, exerted(pieces, energy, source)), target)
        return self._assaults[key]

    def victor(self, pieces: int, energy: int, source: int, target: int) -> Clash:
        """Return what an attack brings and leaves, whatever the rival can answer."""
        strike = Strike(source, pieces, energy, exerted(pieces, energy, source))
        return self.clash(self.seat, strike, self.rivals[target], target)

    def _charged(self, strike: Strike, target: int) -> int:
        defender = self.rivals[target]
        clash = self.clash(self.seat, strike, defender, target)
        if len(self.rivals) == 1 and self._is_the_end(strike, defender, clash):
            return WIN
        return clash.gain - (self.danger(clash.pieces, clash.energy, target, but=target) if clash.pieces else 0)

    def _is_the_end(self, strike: Strike, defender: Stack, clash: Clash) -> bool:
        """Tell whether an attack on the rival's last stack leaves an own one alone on the board."""
        return clash.pieces > 0 or (strike.pieces == defender.pieces and len(self.own) > 1)

    def reach(self, pieces: int, energy: int, source: int, *, is_moved: bool) -> int:
        """Return what the best attack brings that a stack like this can make, after a move if that is open."""
        best = self.assault(pieces, energy, source)
        if not is_moved:
            raw = pieces * energy * PULL[source]
            for step in NEIGHBOURS[source]:
                if self.vertices[step] is None and raw >= NEED[step]:
                    best = max(best, self.assault(pieces, energy, step))
        return best

    def hope(self, pieces: int, energy: int, vertex: int) -> int:
        """Return what a stack like this may do some day: hurt a rival's stack, or hold an open corner of the rival."""
        key = pieces, energy, vertex
        if key not in self._hopes:
            self._hopes[key] = self._hoped(pieces, energy, vertex) if energy else 0
        return self._hopes[key]

    def _hoped(self, pieces: int, energy: int, vertex: int) -> int:
        power, side, away, best = pieces * energy, _SIDES[vertex], _AWAY[vertex], 0
        aims = [(home, _CORNER * _SEEKING // 100) for home in self._open]
        for target, defender in self.rivals.items():
            if force := exerted(pieces, energy, target):
                aims.append(
                    (target, self.clash(self.seat, Strike(vertex, pieces, energy, force), defender, target).gain)
                )
        for target, gain in aims:
            hope = gain * _FADED[away[target]] // 10**6
            if power < _CROSSING and side * _SIDES[target] < 0:
                hope = hope * power // (2 * _CROSSING)
            best = max(best, hope)
        return best * _HOPE // 100


def _zeal(own: dict[int, Stack], rivals: dict[int, Stack]) -> int:
    """Return how dear the rival's losses are, in percent of one's own."""
    ours, theirs = sum(stack.pieces for stack in own.values()), sum(stack.pieces for stack in rivals.values())
    return 100 + max(-_ZEAL // 2, min(_ZEAL, _ZEAL * (ours - theirs) // (theirs + 3)))


def _strikes(vertices: Vertices, stacks: dict[int, Stack]) -> list[list[Strike]]:
    """Return, by target, the attacks that these stacks can make in their next turn, each with one infusion or none."""
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
