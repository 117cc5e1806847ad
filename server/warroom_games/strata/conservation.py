"""Quantities that change only as events report: docs/rules/strata.md, section 9."""

from collections.abc import Mapping

from warroom_games.api import Event
from warroom_games.strata.events import Attacked, TurnBegan
from warroom_games.strata.state import Pool, Stack, State
from warroom_games.strata.turns import ACCRUAL


def quantities(state: State) -> Mapping[str, int]:
    """Return all pieces and energy points, on the board and in the pools."""
    held: list[Stack | Pool] = [*filter(None, state.vertices), *state.pools]
    return {"pieces": sum(each.pieces for each in held), "energy": sum(each.energy for each in held)}


def changes(events: tuple[Event, ...]) -> Mapping[str, int]:
    """Return what turns added and attacks destroyed."""  # §9.3
    pieces = energy = 0
    for event in events:
        match event.public:
            case TurnBegan():
                pieces, energy = pieces + ACCRUAL, energy + ACCRUAL
            case Attacked(attacker=one, defender=other) as attack:
                pieces += attack.pieces - one.pieces - other.pieces
                energy += attack.energy - one.energy - other.energy
            case _:
                pass
    return {"pieces": pieces, "energy": energy}
