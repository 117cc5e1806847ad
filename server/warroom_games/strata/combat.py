"""Attacks: docs/rules/strata.md, section 5."""

from msgspec.structs import replace

from warroom_games.api import Event
from warroom_games.strata.board import VERTICES
from warroom_games.strata.events import Attacked, Fighter
from warroom_games.strata.force import exerted_force, in_text
from warroom_games.strata.state import Stack, State, with_stacks


def attack(state: State, source: int, target: int, events: list[Event]) -> State:
    """Fight it out: whoever wins stands on the target with the differences, and the source is empty."""
    attacker, defender = state.vertices[source], state.vertices[target]
    assert attacker is not None
    assert defender is not None
    force, resistance = exerted_force(attacker, source), exerted_force(defender, target)
    winner = attacker.seat if force > resistance else defender.seat  # §5.2, §5.3
    pieces = abs(attacker.pieces - defender.pieces)  # §5.4
    energy = abs(attacker.energy - defender.energy) if pieces else 0  # §5.5
    events.append(
        Event(
            Attacked(
                seat=attacker.seat,
                source=VERTICES[source],
                target=VERTICES[target],
                attacker=_fighter(attacker, force),
                defender=_fighter(defender, resistance),
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
