"""Attacks and their consequences: docs/rules/thardferr.md, section 16."""

from collections.abc import Mapping

from msgspec.structs import replace

from warroom_games.api import Event, IllegalActionError, Seat
from warroom_games.thardferr.actions import Attack
from warroom_games.thardferr.battle import fight
from warroom_games.thardferr.buildings import BUILDINGS
from warroom_games.thardferr.construction import shrunk
from warroom_games.thardferr.courses import course_of
from warroom_games.thardferr.events import Attacked, Fell, Fought, Ruined, secret
from warroom_games.thardferr.forces import Side, known_strategy
from warroom_games.thardferr.names import UnknownNameError
from warroom_games.thardferr.reports import BattleReport
from warroom_games.thardferr.rulesets import RULESETS
from warroom_games.thardferr.state import Battle, Kingdom, Record, State, Tally, Troop
from warroom_games.thardferr.strategies import STRATEGIES
from warroom_games.thardferr.training import troop_of, unit_of
from warroom_games.thardferr.units import UNITS, Race

LEAST_GAIN = 3
GAIN_DIVISOR = 4
BOTTOM_PERCENT = 60
RECORDS = 3
"""The number of its battles that a kingdom remembers (§15.5)."""


def strategy_of(race: Race, name: str | None) -> str | None:
    """Return a strategy's full name; refuse an unknown one, and one of another race."""  # §2.2
    if name is None:
        return None
    try:
        strategy = known_strategy(name)
    except UnknownNameError as error:
        raise IllegalActionError("unknown.strategy", str(error)) from error
    if strategy not in STRATEGIES[race]:
        raise IllegalActionError(
            "strategy.foreign", f"unknown strategy {strategy}; choose from {', '.join(STRATEGIES[race])}"
        )
    return strategy


def check_attack(state: State, seat: Seat, action: Attack) -> None:
    """Refuse an attack without a target, or with an army that does not exist."""  # §16.1
    if state.is_peace:
        peace = state.options.peace_rounds
        raise IllegalActionError("attack.peace", f"attacks are not allowed before the end of round {peace}")  # §16.9
    if action.target >= state.seats:
        raise IllegalActionError("attack.no_kingdom", f"no seat {action.target}; the seats are 0 to {state.seats - 1}")
    if action.target == seat:
        raise IllegalActionError("attack.yourself", "that is your own kingdom")
    if not state.kingdoms[action.target].is_standing:
        raise IllegalActionError("attack.fallen", f"the kingdom of seat {action.target} has fallen")
    kingdom = state.kingdoms[seat]
    sent = marching(kingdom, action.army)
    if not sent:
        raise IllegalActionError("attack.empty", "an attack needs at least one unit")
    for unit, count in sent.items():
        have = troop_of(kingdom, unit).count
        if count > have:
            raise IllegalActionError("attack.too_many", f"you have only {have} {unit}, not {count}")
    strategy_of(kingdom.race, action.strategy)


def marching(kingdom: Kingdom, army: Mapping[str, int]) -> dict[str, int]:
    """Return an army by the units' own names, in the order of the race's units, without empty stacks."""
    named: dict[str, int] = {}
    for name, count in army.items():
        unit = unit_of(kingdom.race, name)
        named[unit] = named.get(unit, 0) + count
    return {troop.unit: named[troop.unit] for troop in kingdom.army if named.get(troop.unit)}


def make_attack(state: State, seat: Seat, action: Attack, events: list[Event]) -> State:
    """Fight the battle, take the land of a beaten target, and append to *events*."""
    ours, theirs = state.kingdoms[seat], state.kingdoms[action.target]
    sent = marching(ours, action.army)
    attacker = side_of(ours, sent, strategy_of(ours.race, action.strategy))
    defender = side_of(theirs, {troop.unit: troop.count for troop in theirs.army}, theirs.strategy)  # §16.2
    options = state.options
    report = fight(attacker, defender, RULESETS[options.ruleset], max_rounds=options.battle_rounds)
    is_bottom_feeding = 100 * theirs.strength < BOTTOM_PERCENT * ours.strength
    land = gain(theirs.land, is_bottom_feeding=is_bottom_feeding) if report.winner == "attacker" else 0  # §16.4
    record = _record(state, (seat, action.target), (attacker, defender), report, land)
    course = course_of(report)
    fought = Fought(seat, action.target, course.ended_by, course.clashes, record)
    outcome = Attacked(seat, action.target, report.winner, land, is_bottom_feeding)
    events.append(Event(outcome, ((seat, fought), (action.target, fought))))
    kingdoms = list(state.kingdoms)
    kingdoms[seat] = replace(_returned(ours, sent, report.attacker_final), land=ours.land + land)
    field = report.scaled_defender_army  # the units that castles kept out of it cannot be lost
    kingdoms[action.target] = _beaten(
        _returned(theirs, field, report.defender_final), action.target, land, events
    )  # §16.2
    records = [
        (*known, record)[-RECORDS:] if side in (seat, action.target) else known
        for side, known in enumerate(state.records)
    ]
    courses = [course if side in (seat, action.target) else known for side, known in enumerate(state.courses)]
    state = replace(
        state,
        kingdoms=tuple(kingdoms),
        latest=Battle(state.turn, seat, action.target, report.winner, land),
        records=tuple(records),
        courses=tuple(courses),
    )
    return _without_fallen(state, action.target, seat, events)


def gain(land: int, *, is_bottom_feeding: bool) -> int:
    """Return the land that a won attack takes, given the target's land."""  # §16.4, §16.5
    whole = max(LEAST_GAIN, land // GAIN_DIVISOR)
    return max(1, whole // 2) if is_bottom_feeding else whole


def side_of(kingdom: Kingdom, army: Mapping[str, int], strategy: str | None) -> Side:
    """Return a kingdom's army as one side of a battle."""
    return Side(
        race=kingdom.race,
        army=army,
        units=tuple(UNITS[kingdom.race][unit] for unit in army),
        strategy=strategy,
        techs={known.technology: known.level for known in kingdom.technologies},
        buildings={building.name: kingdom.buildings.count(kind) for kind, building in BUILDINGS.items()},
        land=kingdom.land,
    )


def _returned(kingdom: Kingdom, sent: Mapping[str, int], left: Mapping[str, int]) -> Kingdom:
    """Return the kingdom after its army has returned."""
    army = tuple(
        Troop(troop.unit, troop.count - sent.get(troop.unit, 0) + left.get(troop.unit, 0), troop.training)
        for troop in kingdom.army
    )
    return replace(kingdom, army=army)


def _beaten(kingdom: Kingdom, seat: Seat, land: int, events: list[Event]) -> Kingdom:
    """Return the target after the loss of land, and tell it which buildings were lost."""
    if not land:
        return kingdom
    smaller, lost = shrunk(kingdom, kingdom.land - land)
    if lost:
        events.append(secret(seat, Ruined(seat, {str(kind): count for kind, count in lost.items()})))
    return smaller


def _without_fallen(state: State, target: Seat, by: Seat, events: list[Event]) -> State:
    """Remove the target from play if it has too little land left."""  # §16.7
    if state.kingdoms[target].is_standing:
        return state
    events.append(Event(Fell(target, by)))
    # A kingdom whose player left before is out already.
    return state if target in state.out else replace(state, out=(*state.out, target))


# --- events -----------------------------------------------------------------------------------------------------


def _record(
    state: State, seats: tuple[Seat, Seat], sides: tuple[Side, Side], report: BattleReport, land: int
) -> Record:
    attacker, defender = sides
    return Record(
        turn=state.turn,
        attacker=seats[0],
        target=seats[1],
        attacker_strategy=attacker.strategy,
        target_strategy=defender.strategy,
        outcome=report.winner,
        land=land,
        attackers=_tallies(attacker.army, attacker.army, report.attacker_before_healing, report.attacker_healing),
        defenders=_tallies(
            defender.army, report.scaled_defender_army, report.defender_before_healing, report.defender_healing
        ),
    )


def _tallies(
    army: Mapping[str, int], field: Mapping[str, int], left: Mapping[str, int], healed: Mapping[str, int]
) -> tuple[Tally, ...]:
    return tuple(
        Tally(unit, count, field[unit], field[unit] - left[unit], healed.get(unit, 0))
        for unit, count in army.items()
        if count
    )
