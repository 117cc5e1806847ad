"""The cost of an attack: docs/rules/tile_blitz.md, sections 8.3 to 8.6. Pure arithmetic, without a board."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct

from warroom_games.tile_blitz.state import Tile

NATURAL_DEFENCE = 1
"""The defence of a neutral tile."""  # §8.3

LossRule: TypeAlias = Callable[[int, int], int]
"""Returns the losses of an attacker, from its power and the defence."""


class Battle(Struct, frozen=True, gc=False):
    """The outcome of a victorious attack: the losses, and the units that move into the target."""

    troops_lost: int
    tanks_lost: int
    troops: int
    tanks: int


def defence(tile: Tile) -> int:
    """Return the power that an attack on the tile must exceed."""  # §8.3
    return tile.power if tile.color else NATURAL_DEFENCE


def fight(source: Tile, power_lost: int) -> Battle:
    """Let tanks absorb the losses first. 1 troop always stays behind, and the rest moves in."""
    tanks_lost = min(source.tanks, power_lost // 2)  # §8.5
    troops_left = source.troops - (power_lost - 2 * tanks_lost)
    moved = max(0, troops_left - 1)  # §8.6
    return Battle(source.troops - 1 - moved, tanks_lost, moved, source.tanks - tanks_lost)


LOSSES: Mapping[str, LossRule] = {
    "document": lambda power, defence: power - defence,
    "attrition": lambda power, defence: defence,
}
"""The losses for the option `losses`."""  # §8.4
