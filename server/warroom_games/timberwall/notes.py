"""Notes on attacks and hits, shown before they are made: docs/rules/timberwall.md, sections 6.7 and 7.7."""

from collections.abc import Iterable

from warroom_games.timberwall.actions import Action, Attack, HitWall
from warroom_games.timberwall.combat import outcomes, shield, support
from warroom_games.timberwall.ground import Ground
from warroom_games.timberwall.state import Unit, rival_of
from warroom_games.timberwall.walls import blow


def note_on(ground: Ground, action: Action) -> str:
    """Return the possible remains of both units after an attack, or the damage of a hit; an empty text otherwise."""
    if not isinstance(action, Attack | HitWall):
        return ""
    tile = ground.grid.tile(action.x, action.y)
    unit, step = ground.own[tile], ground.grid.steps[tile][action.direction]
    if isinstance(action, HitWall):
        damage, hp = blow(unit, ground.walls.get(step.edges[0]))
        return _hit(damage, hp)
    if step.target == ground.goal:
        spent = ", the unit is spent" if ground.table.options.base_hit_spends_unit else ""  # §6.6
        return _hit(unit.points, ground.table.bases[rival_of(ground.seat)].hp) + spent
    return _fight(ground, unit, ground.enemies[step.target])


def _hit(damage: int, hp: int) -> str:
    return f"{damage} of {hp} HP" if damage < hp else f"{hp} of {hp} HP, it falls"


def _fight(ground: Ground, unit: Unit, defender: Unit) -> str:
    # The attacker sees every tile around the defender (§10.1), so no support is hidden in the fog.
    bonus = shield(defender) + support(defender, ground.knowledge.enemies)
    ends = outcomes(unit.points, defender.points, bonus)
    parts = []
    if won := [own for own, _ in ends if own]:
        parts.append(f"leaves {_range(won)} of {unit.points}")
    if (0, 0) in ends:
        parts.append("both fall")
    if lost := [enemy for _, enemy in ends if enemy]:
        parts.append(f"enemy keeps {_range(lost)} of {defender.points}")
    return ", or ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _range(points: Iterable[int]) -> str:
    least, most = min(points), max(points)
    return str(least) if least == most else f"{least}-{most}"
