"""What sections 3 to 5 of Timberwall's document demand of its AI and forbid it, read from the document alone.

Nothing here asks the bot: its decisions are held against this. docs/rules/timberwall.md, section 17, lists the rules.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from timberwall_case import HUNTER, NEAR, NEVER, Case

from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.combat import shield, support
from warroom_games.timberwall.geometry import Tile
from warroom_games.timberwall.units import tier

OPENING_SPAWNS = 2
THREAT = 5
TOP = 4
TIER_COST = {1: 1, 2: 5, 3: 25, 4: 125}
STRONG_TIER_1 = 4


class Finding(NamedTuple):
    """A rule, and the action that it demands or forbids."""

    rule: str
    action: rules.Action


# --- what is demanded --------------------------------------------------------------------------------------------


def demands(case: Case) -> list[Finding]:
    """Return what the document demands here: legal actions, each with its rule."""
    found: list[Finding] = []
    for rule in (_victory, _combat, _spawns, _defence, _walls, _retreats, _enclosures, _roles):
        found += rule(case)
    return found


def _of(case: Case, kind: type[rules.Action]) -> Iterator[rules.Action]:
    return (action for action in case.legal if isinstance(action, kind))


def _victory(case: Case) -> Iterator[Finding]:
    for action in case.legal:
        if isinstance(action, rules.Attack) and case.at(action)[1].target == case.ground.goal:
            yield Finding("5 absolute priority", action)


def _combat(case: Case) -> Iterator[Finding]:
    for action in case.legal:
        if isinstance(action, rules.Attack) and (rule := _warrant(case, action)):
            yield Finding(rule, action)


def _warrant(case: Case, attack: rules.Attack) -> str | None:
    """Return the rule that demands an attack on a unit."""
    source, step = case.at(attack)
    if step.target not in case.ground.enemies:
        return None
    enemy = case.ground.enemies[step.target]
    if case.rank(source) >= tier(enemy.points):
        return "3C attack"
    power = enemy.points + shield(enemy) + support(enemy, case.ground.knowledge.enemies)
    is_swarm = len(case.friends_beside(source)) >= 2
    return "4.4 aggressive combat" if is_swarm or case.ground.own[source].points >= power else None


def _spawns(case: Case) -> Iterator[Finding]:
    knowledge = case.ground.knowledge
    deployments = [action for action in case.legal if isinstance(action, rules.Deploy)]
    if case.is_opening and case.spawned < OPENING_SPAWNS and case.free:
        yield from [Finding("3B opening", action) for action in deployments[-1:]]
    yield from _reactions(case, deployments)
    for action in deployments:
        if tier(action.points) >= HUNTER:
            yield Finding("3B T4 rush", action)
    if knowledge.reserves < TIER_COST[HUNTER]:
        yield from [Finding("4.2 no trash", action) for action in _of(case, rules.Convert)]


def _reactions(case: Case, deployments: list[rules.Deploy]) -> Iterator[Finding]:
    knowledge = case.ground.knowledge
    for enemy in case.ground.enemies:
        if not any(case.ground.grid.distance(enemy, place) <= NEAR for place in (*case.forests, case.ground.home)):
            continue
        wanted = min(case.foe(enemy) + 1, TOP)
        if _is_answered(case, enemy, wanted):
            continue
        cost = TIER_COST[wanted]
        yield from [Finding("3B reactive defence", action) for action in deployments if action.points == cost]
        if knowledge.reserves < cost <= knowledge.reserves + knowledge.wood // 20:
            yield from [Finding("3B reactive defence", action) for action in _of(case, rules.Convert)]


def _is_answered(case: Case, enemy: Tile, wanted: int) -> bool:
    """Tell whether a unit of the wanted tier strikes now, or is there as soon as one spawned now would be."""
    turns = case.turns(enemy, TIER_COST[wanted])
    landings = [tile for tile in case.ground.zone if case.ground.is_empty(tile)]
    soonest = min((turns.get(tile, NEVER) for tile in landings), default=NEVER)
    striking = {
        case.at(action)[0]
        for action in case.legal
        if isinstance(action, rules.Attack) and case.at(action)[1].target == enemy
    }
    return any(
        tile in striking or (not case.is_held(tile) and turns.get(tile, NEVER) <= soonest)
        for tile in case.ground.own
        if case.rank(tile) >= wanted
    )


def _defence(case: Case) -> Iterator[Finding]:
    """Yield strong blockers near the base when an enemy is within 3 tiles of it."""
    if not case.foes_near(case.ground.home, NEAR):
        return
    is_banned = not case.is_opening and not case.foes_near(case.ground.home, 1)
    least = TIER_COST[2] if is_banned else STRONG_TIER_1
    for action in case.legal:
        if isinstance(action, rules.Deploy) and action.points >= least:
            yield Finding("AI defence", action)


def _walls(case: Case) -> Iterator[Finding]:
    for action in case.legal:
        if isinstance(action, rules.BuildWall) and _is_fortress(case, action):
            yield Finding("4.3 fortress walls", action)


def _is_fortress(case: Case, action: rules.BuildWall) -> bool:
    """Tell whether a wall parts a unit on a forest from an enemy of its tier or more, on no side of the base."""
    one, other = case.ground.grid.parted(case.ground.grid.edge(action.x, action.y, action.side))
    return any(
        tile in case.ground.own
        and tile in case.forests
        and enemy in case.ground.enemies
        and case.foe(enemy) >= case.rank(tile)
        and not case.is_homeward(tile, enemy)
        for tile, enemy in ((one, other), (other, one))
    )


def _retreats(case: Case) -> Iterator[Finding]:
    for action in case.legal:
        if not isinstance(action, rules.Move):
            continue
        tile, step = case.at(action)
        is_in_danger = case.is_outranked(tile, tile) and not case.is_guard(tile)
        is_safe = case.may_enter(tile, step.target) and not case.is_outranked(step.target, tile)
        if is_in_danger and is_safe:
            yield Finding("3C retreat", action)


def _enclosures(case: Case) -> Iterator[Finding]:
    shut = {forest for forest in case.free if all(map(case.is_held, case.walkers(forest)))}
    for action in case.legal:
        if isinstance(action, rules.HitWall):
            tile, step = case.at(action)
            is_neutral = step.edges[0] not in case.ground.walls
            if is_neutral and step.target in shut and case.may_break(tile):
                yield Finding("1 enclosed forests", action)


def _roles(case: Case) -> Iterator[Finding]:
    for tile in case.ground.own:
        yield from _interceptions(case, tile)
        if case.is_held(tile) or case.is_guard(tile):
            continue
        for rule, goals in _goals(case, tile):
            if goals and (action := case.first_action(tile, goals)):
                yield Finding(rule, action)


def _interceptions(case: Case, tile: Tile) -> Iterator[Finding]:
    """Yield the way to an enemy at the base that a unit is a match for; off a forest it is only allowed (4.5)."""
    near = [enemy for enemy in case.foes_near(case.ground.home, NEAR) if case.foe(enemy) <= case.rank(tile)]
    if near and not case.is_held(tile) and (action := case.first_action(tile, near)):
        yield Finding("5 interception", action)


def _goals(case: Case, tile: Tile) -> Iterator[tuple[str, Collection[Tile]]]:
    if case.rank(tile) < HUNTER:
        yield "5 gatherers", case.free
        yield "3C target", [enemy for enemy in case.ground.enemies if _is_prey(case, tile, enemy)]
        yield "3C target", [case.ground.goal]
        return
    if case.is_opening and not case.ground.enemies:
        beside = {
            forest for forest in case.free if any(case.rank(unit) < HUNTER for unit in case.friends_beside(forest))
        }
        yield "5 handover", case.free - beside
    yield "5 hunters", [case.ground.goal]


def _is_prey(case: Case, tile: Tile, enemy: Tile) -> bool:
    return enemy in case.forests and case.foe(enemy) <= case.rank(tile)


# --- what is forbidden -------------------------------------------------------------------------------------------


def breaches(case: Case, action: rules.Action) -> list[Finding]:
    """Return the rules that forbid an action of the AI."""
    match action:
        case rules.Move() | rules.Merge():
            found = _straying(case, action)
        case rules.Deploy():
            found = _trash(case, action)
        case rules.HitWall():
            found = [] if case.may_break(case.at(action)[0]) else ["3C walls"]
        case rules.BuildWall():
            found = [] if _is_fortress(case, action) else ["4.3 fortress walls"]
        case rules.Attack():
            is_base = case.at(action)[1].target == case.ground.goal
            found = [] if is_base or _warrant(case, action) else ["3C attack"]
        case _:
            found = []
    if any(_victory(case)) and not (isinstance(action, rules.Attack) and case.at(action)[1].target == case.ground.goal):
        found = [*found, "5 absolute priority"]
    return [Finding(rule, action) for rule in found]


def _straying(case: Case, action: rules.Move | rules.Merge) -> list[str]:
    tile, step = case.at(action)
    is_excused = case.is_outranked(tile, tile) or bool(case.foes_near(case.ground.home, THREAT))
    found = ["3A forest anchor"] if case.is_held(tile) and not is_excused else []
    return found if case.may_enter(tile, step.target) else [*found, "5 hunters"]


def _trash(case: Case, action: rules.Deploy) -> list[str]:
    is_trash = tier(action.points) == 1
    if is_trash and not case.is_opening and not case.foes_near(case.ground.home, 1):
        return ["4.2 no trash"]
    is_grab = is_trash and case.is_opening and not case.foes_near(case.ground.home, NEAR)
    return ["3B opening"] if is_grab and case.spawned >= OPENING_SPAWNS else []
