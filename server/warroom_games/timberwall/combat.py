"""Fights between units, and hits on bases: docs/rules/timberwall.md, section 6."""

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.api import Event, IllegalActionError, Seat
from warroom_games.rng import Rng
from warroom_games.timberwall.actions import Attack
from warroom_games.timberwall.events import Attacked, BaseHit
from warroom_games.timberwall.ground import Ground
from warroom_games.timberwall.moving import Way, open_step, unit_index, way, with_units
from warroom_games.timberwall.sight import observed
from warroom_games.timberwall.state import State, Table, Unit, dropped, replaced, rival_of
from warroom_games.timberwall.units import SETTLED, floor, luck_of, tier

ROLLS = 100
LUCKY = 20
"""Rolls below this are lucky."""
UNLUCKY = 80
"""Rolls from this on are unlucky."""


class Fight(Struct, frozen=True, gc=False):
    """The outcome of a fight: the roll and its luck, the draw that settled a tie, and the remaining points."""

    roll: int
    luck: int
    draw: int | None
    attacker_left: int
    defender_left: int


def fight(attacker: int, defender: int, bonus: int, rng: Rng) -> tuple[Fight, Rng]:
    """Fight between two units of these points, with a *bonus* for the defender."""  # §6.2 to §6.5
    roll, rng = rng.below(ROLLS)
    luck = luck_of(attacker) * ((roll < LUCKY) - (roll >= UNLUCKY))  # §6.3
    ends = _ends(attacker, defender, bonus, luck)
    if len(ends) == 1:
        return Fight(roll, luck, None, *ends[0]), rng
    draw, rng = rng.below(len(ends))
    return Fight(roll, luck, draw, *ends[draw]), rng


def outcomes(attacker: int, defender: int, bonus: int) -> frozenset[tuple[int, int]]:
    """Return all possible outcomes of a fight, as the remaining points of both."""
    most = luck_of(attacker)
    return frozenset(end for luck in (-most, 0, most) for end in _ends(attacker, defender, bonus, luck))


def _ends(attacker: int, defender: int, bonus: int, luck: int) -> tuple[tuple[int, int], ...]:
    """Return the remaining points of both; for equal strengths, one result for each draw."""
    attack, defence = max(0, attacker + luck), defender + bonus  # §6.2
    if attack > defence:
        return ((min(attacker, attack - defence), 0),)  # §6.4
    if attack < defence:
        return ((0, min(defender, defence - attack)),)
    return (0, 0), (0, 0), (floor(attacker), 0), (0, floor(defender))  # §6.5


def shield(unit: Unit) -> int:
    """Return the bonus of a unit that has not moved for a while."""  # §2.4
    return int(unit.still >= SETTLED)


def support(unit: Unit, friends: tuple[Unit, ...]) -> int:
    """Return the bonus of a unit with a friend of its tier beside it."""  # §2.5
    return int(
        any(
            max(abs(friend.x - unit.x), abs(friend.y - unit.y)) == 1 and tier(friend.points) == tier(unit.points)
            for friend in friends
        )
    )


def check_attack(ground: Ground, action: Attack) -> None:
    """Refuse an attack that is blocked, or whose target is not an enemy."""
    _, step = open_step(ground, action)
    where = f"{action.direction} of ({action.x}, {action.y})"
    if step.target in ground.own or step.target == ground.home:
        raise IllegalActionError("attack.own", f"your own unit or base is {where}")  # §6.1
    if step.target not in ground.enemies and step.target != ground.goal:
        raise IllegalActionError("attack.none", f"nothing to attack {where}")  # §6.1


def make_attack(state: State, seat: Seat, action: Attack, events: list[Event]) -> State:
    """Fight the unit on the target, or hit the base there."""
    taken = way(state, seat, action)
    base = state.table.bases[rival_of(seat)]
    if taken.target == (base.x, base.y):
        return _hit_base(state, seat, taken, events)
    return _fight_unit(state, seat, taken, events)


def _fight_unit(state: State, seat: Seat, taken: Way, events: list[Event]) -> State:
    unit, _, target = taken
    source = (unit.x, unit.y)
    units, rivals = state.board.holdings[seat].units, state.board.holdings[rival_of(seat)].units
    index, rival_index = unit_index(units, source), unit_index(rivals, target)
    defender = rivals[rival_index]
    shielded, supported = shield(defender), support(defender, rivals)
    fought, rng = fight(unit.points, defender.points, shielded + supported, state.rng)
    events.append(
        Event(
            Attacked(
                seat, source, target, unit.points, defender.points, fought.roll, fought.luck, shielded, supported,
                fought.draw, fought.attacker_left, fought.defender_left,
            )
        )
    )  # fmt: skip
    if fought.defender_left:
        rivals = replaced(rivals, rival_index, replace(defender, points=fought.defender_left))
    else:
        rivals = dropped(rivals, rival_index)
    if fought.attacker_left:
        units = replaced(units, index, Unit(*target, fought.attacker_left))  # §6.4
    else:
        units = dropped(units, index)
    board = with_units(with_units(state.board, seat, units), rival_of(seat), rivals)
    return observed(replace(state, rng=rng), board)


def _hit_base(state: State, seat: Seat, taken: Way, events: list[Event]) -> State:
    """Subtract the unit's points from the base. The unit stays, unless the room's options spend it."""  # §6.6
    unit, source = taken.unit, (taken.unit.x, taken.unit.y)
    table = _with_damage(state.table, rival_of(seat), unit.points)
    is_spent = table.options.base_hit_spends_unit
    events.append(Event(BaseHit(seat, source, unit.points, table.bases[rival_of(seat)].hp, is_spent)))
    state = replace(state, table=table)
    if not is_spent:
        return state
    units = state.board.holdings[seat].units
    return observed(state, with_units(state.board, seat, dropped(units, unit_index(units, source))))


def _with_damage(table: Table, seat: Seat, damage: int) -> Table:
    base = table.bases[seat]
    hit = replace(base, hp=max(0, base.hp - damage))
    return replace(table, bases=(hit, table.bases[1]) if seat == 0 else (table.bases[0], hit))
