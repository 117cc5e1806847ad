"""Attacks: docs/rules/strata.md, section 5."""

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.api import Event
from warroom_games.strata.board import VERTICES
from warroom_games.strata.events import Attacked, Fighter
from warroom_games.strata.force import exerted_force, in_text
from warroom_games.strata.state import Stack, State, Vertices, with_stacks


class Duel(Struct, frozen=True, gc=False):
    """The outcome of an attack: both sides, their forces in sixths, and what the winner has left."""

    attacker: Stack
    defender: Stack
    force: int
    resistance: int
    pieces: int
    energy: int

    @property
    def is_won(self) -> bool:
        """Whether the attacker wins."""  # §5.2, §5.3
        return self.force > self.resistance


def duel(vertices: Vertices, source: int, target: int) -> Duel:
    """Return the outcome of a legal attack."""
    attacker, defender = vertices[source], vertices[target]
    assert attacker is not None
    assert defender is not None
    pieces = abs(attacker.pieces - defender.pieces)  # §5.4
    energy = abs(attacker.energy - defender.energy) if pieces else 0  # §5.5
    forces = exerted_force(attacker, source), exerted_force(defender, target)
    return Duel(attacker, defender, *forces, pieces, energy)


def attack(state: State, source: int, target: int, events: list[Event]) -> State:
    """Play an attack: the winner holds the target with the differences, and the source is empty."""
    fought = duel(state.vertices, source, target)
    attacker, defender, pieces, energy = fought.attacker, fought.defender, fought.pieces, fought.energy
    winner = attacker.seat if fought.is_won else defender.seat
    events.append(
        Event(
            Attacked(
                seat=attacker.seat,
                source=VERTICES[source],
                target=VERTICES[target],
                attacker=_fighter(attacker, fought.force),
                defender=_fighter(defender, fought.resistance),
                winner=winner,
                pieces=pieces,
                energy=energy,
            )
        )
    )
    left = Stack(winner, pieces, energy) if pieces else None
    return replace(state, vertices=with_stacks(state.vertices, (source, None), (target, left)))


def _fighter(stack: Stack, force: int) -> Fighter:
    return Fighter(stack.seat, stack.pieces, stack.energy, in_text(force))
