"""The views as text: the standings, and the own ledger. The least important lines come last."""

from collections.abc import Iterable, Sequence

from msgspec.structs import asdict

from warroom_games.api import Seat
from warroom_games.thardferr.buildings import BUILDINGS
from warroom_games.thardferr.state import LEAST_LAND, Kingdom, Record, Stores
from warroom_games.thardferr.views import Forecast, Secret, Table
from warroom_games.words import called
from warroom_protocol.results import ending_in_words

_WIDTH = 80
_NAME = 14
_SHORT = 10
"""The maximum length of a name when a line has two."""
_BAR = 20
"""The length of the bar of the strongest kingdom."""


def draw_views(table: Table, secret: Secret | None, names: Sequence[str]) -> str:
    """Return what a viewer knows as plain text."""
    lines = [_headline(table, names), *_kingdoms(table, names)]
    if secret and secret.pick and not table.kingdoms:
        lines.append(f"You picked: {secret.pick}.")
    if secret and secret.kingdom and secret.forecast:
        lines += _ledger("Your kingdom", secret.kingdom, secret.forecast)
    if secret and secret.scouted:
        lines += _ledger(f"Scouted: {_who(secret.scouted.seat, names)}", secret.scouted.kingdom, None)
    if secret and secret.records:
        lines += ["Battles", *(f"  {_battle(record, names)}" for record in secret.records)]
    return "\n".join(lines)


def _who(seat: Seat, names: Sequence[str]) -> str:
    return called(names, seat, f"seat {seat}", width=_NAME).rstrip()


def _headline(table: Table, names: Sequence[str]) -> str:
    if table.ended:
        state = f"over ({ending_in_words(table.ended)})"
    elif table.seat is None:
        state = "players pick their races"
    else:
        state = f"{_who(table.seat, names)} to move"
    day = table.round * table.options.days_per_turn
    return f"Thardferr   round {table.round} of {table.options.max_turns} (day {day})   turn {table.turn}   {state}"


def _kingdoms(table: Table, names: Sequence[str]) -> list[str]:
    if not table.kingdoms:
        return [f"  {_who(seat, names)}: {'ready' if done else 'picks'}" for seat, done in enumerate(table.picked)]
    strongest = max(kingdom.strength for kingdom in table.kingdoms)
    lines = [f"  seat  {'player'.ljust(_NAME + 2) if names else ''}race    land  castles  strength"]
    return lines + [_kingdom(table, seat, strongest, names) for seat in range(len(table.kingdoms))]


def _kingdom(table: Table, seat: Seat, strongest: int, names: Sequence[str]) -> str:
    kingdom = table.kingdoms[seat]
    mark = ">" if seat == table.seat and not table.ended else " "
    bar = "#" * (_BAR * kingdom.strength // max(strongest, 1))
    state = "fallen" if kingdom.land < LEAST_LAND else "left" if seat in table.out else ""
    name = f"{called(names, seat, '', width=_NAME)}  " if names else ""
    row = f"{mark} {seat:>4}  {name}{kingdom.race:<6}  {kingdom.land:>4}  {kingdom.castles:>7}  {kingdom.strength:>8}"
    return f"{row}  {state or bar}".rstrip()


def _ledger(title: str, kingdom: Kingdom, forecast: Forecast | None) -> list[str]:
    strategy = kingdom.strategy or "none"
    lines = [f"{title}: {kingdom.race}, {kingdom.land} land, defends with {strategy}"]
    lines += [f"  {name:<11}{_stores(stores)}" for name, stores in _accounts(kingdom, forecast)]
    if not kingdom.can_train:
        lines.append("  Upkeep not paid: no training this turn.")
    lines += _wrapped("buildings", _buildings(kingdom))
    lines += _wrapped("army", _army(kingdom, forecast))
    lines += _wrapped("workers", (f"{job} {hands}" for job, hands in asdict(kingdom.workers).items()))
    known = [f"{known.technology} {known.level}" for known in kingdom.technologies]
    if kingdom.project:
        known.append(f"({kingdom.project.technology} in {kingdom.project.days_left} days)")
    return lines + (_wrapped("knows", known) if known else [])


def _accounts(kingdom: Kingdom, forecast: Forecast | None) -> list[tuple[str, Stores]]:
    accounts = [("stores", kingdom.stores)]
    return [*accounts, ("income", forecast.income), ("upkeep", forecast.upkeep)] if forecast else accounts


def _stores(stores: Stores) -> str:
    return "  ".join(f"{name} {count:>8}" for name, count in asdict(stores).items())


def _buildings(kingdom: Kingdom) -> list[str]:
    numbers = [(building.name, kingdom.buildings.count(kind)) for kind, building in BUILDINGS.items()]
    return [f"{name} {count}" for name, count in numbers if count]


def _army(kingdom: Kingdom, forecast: Forecast | None) -> list[str]:
    """Return the present and arriving units. Training shows how many more there is room for."""
    most = {unit: f" of {count}" for unit, count in forecast.capacity.items()} if forecast else {}
    troops = [troop for troop in kingdom.army if troop.count or troop.training]
    if not troops:
        return ["none"]
    return [f"{troop.unit} {troop.count} (+{troop.training}{most.get(troop.unit, '')})" for troop in troops]


def _battle(record: Record, names: Sequence[str]) -> str:
    fallen = [sum(tally.lost for tally in side) for side in (record.attackers, record.defenders)]
    outcome = {"attacker": f"wins {record.land} land", "defender": "is beaten back", "draw": "nobody wins"}
    attacker, target = (
        called(names, seat, f"seat {seat}", width=_SHORT).rstrip() for seat in (record.attacker, record.target)
    )
    return (
        f"turn {record.turn}: {attacker} attacks {target}, {outcome[record.outcome]}; {fallen[0]} and {fallen[1]} fall"
    )


def _wrapped(title: str, words: Iterable[str]) -> list[str]:
    """Return words after a title, wrapped to short lines."""
    lines: list[list[str]] = [[]]
    for word in words:
        if sum(len(other) + 2 for other in lines[-1]) + len(word) > _WIDTH - 13:
            lines.append([])
        lines[-1].append(word)
    return [f"  {title if index == 0 else '':<11}{', '.join(line)}" for index, line in enumerate(lines)]
