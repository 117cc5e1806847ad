"""The views as text: how the kingdoms stand, and the own ledger."""

from collections.abc import Iterable

from msgspec.structs import asdict

from warroom_games.thardferr.buildings import BUILDINGS
from warroom_games.thardferr.state import LEAST_LAND, Kingdom, Record, Stores
from warroom_games.thardferr.views import Forecast, Secret, Standing, Table

_WIDTH = 80


def draw_views(table: Table, secret: Secret | None) -> str:
    """Return what a viewer knows as plain text."""
    parts = [[_headline(table)], _kingdoms(table)]
    if secret and secret.pick and not table.kingdoms:
        parts.append([f"You have picked: {secret.pick}."])
    if secret and secret.kingdom and secret.forecast:
        parts.append(_ledger("Your kingdom", secret.kingdom, secret.forecast))
    if secret and secret.scouted:
        parts.append(_ledger(f"Scouted: seat {secret.scouted.seat}", secret.scouted.kingdom, None))
    if secret and secret.records:
        parts.append(["Battles", *(f"  {_battle(record)}" for record in secret.records)])
    return "\n\n".join("\n".join(lines) for lines in parts)


def _headline(table: Table) -> str:
    if table.ended:
        state = f"over ({table.ended})"
    elif table.seat is None:
        state = "races are picked"
    else:
        state = f"seat {table.seat} to move"
    day = table.round * table.options.days_per_turn
    return f"Thardferr   round {table.round} of {table.options.max_turns} (day {day})   turn {table.turn}   {state}"


def _kingdoms(table: Table) -> list[str]:
    if not table.kingdoms:
        return [f"  seat {seat}  {'ready' if done else 'picks'}" for seat, done in enumerate(table.picked)]
    strongest = max(kingdom.strength for kingdom in table.kingdoms)
    lines = ["  seat  race    land  castles      KS"]
    return lines + [_kingdom(table, seat, kingdom, strongest) for seat, kingdom in enumerate(table.kingdoms)]


def _kingdom(table: Table, seat: int, kingdom: Standing, strongest: int) -> str:
    mark = ">" if seat == table.seat and not table.ended else " "
    bar = "#" * (30 * kingdom.strength // max(strongest, 1))
    state = "  fallen" if kingdom.land < LEAST_LAND else "  left" if seat in table.out else ""
    row = f"{mark} {seat:>4}  {kingdom.race:<6}  {kingdom.land:>4}  {kingdom.castles:>7}  {kingdom.strength:>6}"
    return f"{row}  {bar:<30}{state}".rstrip()


def _ledger(title: str, kingdom: Kingdom, forecast: Forecast | None) -> list[str]:
    strategy = kingdom.strategy or "none"
    lines = [f"{title}: {kingdom.race}, {kingdom.land} land, defends with {strategy}"]
    lines += [f"  {name:<11}{_stores(stores)}" for name, stores in _accounts(kingdom, forecast)]
    if not kingdom.can_train:
        lines.append("  The upkeep was not paid: no training this turn.")
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
    most = {unit: f" of {count}" for unit, count in forecast.capacity.items()} if forecast else {}
    return [f"{troop.unit} {troop.count} (+{troop.training}{most.get(troop.unit, '')})" for troop in kingdom.army]


def _battle(record: Record) -> str:
    fallen = [sum(tally.lost for tally in side) for side in (record.attackers, record.defenders)]
    outcome = "nobody wins" if record.outcome == "draw" else f"{record.outcome} wins"
    return (
        f"turn {record.turn}: seat {record.attacker} attacks seat {record.target}, {outcome}, "
        f"{record.land} land, {fallen[0]} and {fallen[1]} fall"
    )


def _wrapped(title: str, words: Iterable[str]) -> list[str]:
    """Return words behind a title, in lines that are not too long."""
    lines: list[list[str]] = [[]]
    for word in words:
        if sum(len(other) + 2 for other in lines[-1]) + len(word) > _WIDTH - 13:
            lines.append([])
        lines[-1].append(word)
    return [f"  {title if index == 0 else '':<11}{', '.join(line)}" for index, line in enumerate(lines)]
