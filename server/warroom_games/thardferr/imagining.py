"""States that fit what a viewer knows; the unknown parts are drawn."""

import msgspec
from msgspec.structs import replace

from warroom_games.api import Seat
from warroom_games.rng import Rng
from warroom_games.thardferr.buildings import BUILDINGS, CASTLE
from warroom_games.thardferr.courses import Course
from warroom_games.thardferr.economy import best_workers, peasants, slots, spread_evenly
from warroom_games.thardferr.research import is_open, with_level
from warroom_games.thardferr.state import Buildings, Kingdom, Learned, State, Stores, Troop, Workers
from warroom_games.thardferr.strategies import STRATEGIES
from warroom_games.thardferr.strength import kingdom_strength
from warroom_games.thardferr.technologies import TECHNOLOGIES
from warroom_games.thardferr.units import RACES, UNITS, Race
from warroom_games.thardferr.views import Secret, Standing, Table

WEALTH = Stores(gold=200_000, iron=4_000, wood=4_000, food=100_000)
"""An upper limit for what an imagined kingdom has."""


def imagine_state(table: Table, secret: Secret | None, seat: Seat | None, rng: Rng) -> State:
    """Return a state with these views for *seat*."""
    picks, rng = _picks(table, secret, seat, rng)
    known = {}
    if secret and seat is not None and secret.kingdom:
        known[seat] = secret.kingdom
    if secret and secret.scouted:
        known[secret.scouted.seat] = secret.scouted.kingdom
    kingdoms = []
    for place, standing in enumerate(table.kingdoms):
        if place in known:
            kingdoms.append(known[place])
        else:
            kingdom, rng = imagine_kingdom(standing, rng)
            kingdoms.append(kingdom)
    records = secret.records if secret else ()
    return State(
        options=table.options,
        picks=picks,
        kingdoms=tuple(kingdoms),
        out=table.out,
        seat=table.seat,
        turn=table.turn,
        round=table.round,
        scouted=secret.scouted.seat if secret and secret.scouted else None,
        records=tuple(
            tuple(record for record in records if place in (record.attacker, record.target))
            for place in range(len(table.picked))
        ),
        courses=_courses(table, secret),
        latest=table.latest,
        ended=table.ended,
    )


def _courses(table: Table, secret: Secret | None) -> tuple[Course | None, ...]:
    """Return the course of the viewer's last battle for both sides; no other course is known."""
    last = secret.records[-1] if secret and secret.records else None
    sides = (last.attacker, last.target) if last else ()
    return tuple(secret.course if secret and place in sides else None for place in range(len(table.picked)))


def _picks(table: Table, secret: Secret | None, seat: Seat | None, rng: Rng) -> tuple[tuple[Race | None, ...], Rng]:
    """Return a race for each seat that has one: known, fixed by the options, or drawn."""
    picks: list[Race | None] = []
    for place, is_picked in enumerate(table.picked):
        choice = table.options.races[place]
        race: Race | None = None
        if table.kingdoms:
            race = table.kingdoms[place].race
        elif secret and place == seat:
            race = secret.pick
        elif is_picked and choice != "pick":
            race = choice
        elif is_picked:
            race, rng = rng.choice(RACES)
        picks.append(race)
    return tuple(picks), rng


def imagine_kingdom(standing: Standing, rng: Rng) -> tuple[Kingdom, Rng]:
    """Return a ledger for a kingdom of which only the standing is known."""
    levels, buildings, units, rng = _parts(standing, rng)
    race = standing.race
    army, rng = _spread(units, len(UNITS[race]), rng)
    built, rng = _spread(buildings, len(BUILDINGS) - 1, rng)
    kinds = [kind for kind in BUILDINGS if kind != CASTLE]
    stores, rng = _stores(rng)
    strategy, rng = rng.choice((None, *STRATEGIES[race]))
    kingdom = Kingdom(
        race=race,
        land=standing.land,
        buildings=replace(Buildings(castle=standing.castles), **dict(zip(kinds, built, strict=True))),
        army=tuple(Troop(unit, count) for unit, count in zip(UNITS[race], army, strict=True)),
        stores=stores,
        workers=Workers(),
        strategy=strategy,
    )
    kingdom, rng = _learned(kingdom, levels, rng)
    # The best numbers of workers depend on what the kingdom has learned.
    return replace(kingdom, workers=spread_evenly(best_workers(kingdom), peasants(kingdom))), rng


def _parts(standing: Standing, rng: Rng) -> tuple[int, int, int, Rng]:
    """Return levels of technology, buildings and units that add up to the strength."""
    rest = standing.strength - kingdom_strength(units=0, buildings=0, castles=standing.castles, levels=0)
    most_levels = min(rest // 1000, _levels_of(standing.race))
    # Not every split adds up, because strength is rounded. Try them all, from a random one on.
    order, rng = rng.shuffle(range(most_levels + 1))
    for levels in order:
        share = rest - 1000 * levels
        most = min(share // 3, slots(standing.land))
        start, rng = rng.below(most + 1)
        for step in range(most + 1):
            buildings = (start + step) % (most + 1)
            units = 2 * (share - 3 * buildings) // 5
            if kingdom_strength(units=units, buildings=buildings, castles=0, levels=0) == share:
                return levels, buildings, units, rng
    raise ValueError(f"no kingdom looks like {standing}")


def _levels_of(race: Race) -> int:
    return sum(technology.max_level for technology in TECHNOLOGIES.values() if technology.race in (None, race))


def _spread(total: int, heaps: int, rng: Rng) -> tuple[list[int], Rng]:
    """Split *total* things into this many heaps."""
    sizes = []
    for left in range(heaps, 1, -1):
        size, rng = rng.below(2 * total // left + 1)
        sizes.append(size)
        total -= size
    return [*sizes, total], rng


def _stores(rng: Rng) -> tuple[Stores, Rng]:
    held = {}
    for name, most in msgspec.structs.asdict(WEALTH).items():
        held[name], rng = rng.below(most)
    return Stores(**held), rng


def _learned(kingdom: Kingdom, levels: int, rng: Rng) -> tuple[Kingdom, Rng]:
    """Let a kingdom learn this many levels, each of a technology that is open to it."""
    for _ in range(levels):
        choices = [technology for technology in TECHNOLOGIES.values() if is_open(kingdom, technology)]
        technology, rng = rng.choice(choices)
        learned = Learned(technology.name, kingdom.level(technology.name) + 1)
        kingdom = replace(kingdom, technologies=with_level(kingdom.technologies, learned))
    return kingdom, rng
