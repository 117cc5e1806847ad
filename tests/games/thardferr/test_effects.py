"""What technologies and buildings say they do: docs/rules/thardferr.md, sections 3 and 4."""

from typing import Any

import pytest
from thardferr_positions import kingdom

from warroom_games.schemas import action_schema
from warroom_games.thardferr.battle import battle
from warroom_games.thardferr.buildings import BUILDINGS, BuildingId
from warroom_games.thardferr.forces import Force
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.technologies import STRENGTH_ONLY, TECHNOLOGIES
from warroom_games.thardferr.units import RACES, UNITS, Race
from warroom_games.thardferr.views import forecast

DAYS = 10


def outcome(
    race: Race, techs: dict[str, int], buildings: dict[str, int], workers: dict[str, int] | None = None
) -> list[object]:
    """Return all that a kingdom comes to but its strength: what a turn brings, and battles with everybody."""
    own = kingdom(race, techs=techs, buildings=buildings, workers=workers)
    named = {BUILDINGS[kind].name: own.buildings.count(kind) for kind in BUILDINGS}
    side = Force(race=race, army=dict.fromkeys(UNITS[race], 40), techs=dict(techs), buildings=named, land=own.land)
    found: list[object] = [forecast(own, DAYS)]
    for rival in RACES:
        other = Force(race=rival, army=dict.fromkeys(UNITS[rival], 40))
        for attacker, defender in ((side, other), (other, side)):
            report = battle(attacker, defender)
            found += [report.phases, report.attacker_final, report.defender_final, report.winner]
    return found


@pytest.mark.parametrize("name", TECHNOLOGIES)
def test_a_technology_does_something_unless_it_says_that_it_only_adds_strength(name: str) -> None:
    """§3.1 to §3.3, for every race that may learn it."""
    technology = TECHNOLOGIES[name]
    races: tuple[Race, ...] = RACES if technology.race is None else (technology.race,)
    changed = [outcome(race, {name: 1}, {}) != outcome(race, {}, {}) for race in races]
    assert any(changed) is (technology.effect != STRENGTH_ONLY)
    strength = kingdom(races[0], techs={name: 1}).strength - kingdom(races[0]).strength
    assert strength == 1000


def with_more(race: Race, kind: BuildingId) -> list[object]:
    hands = {"mine": 10_000, "lumber": 10_000, "agriculture": 10_000, "blacksmithing": 10_000}
    return outcome(race, {}, {kind: kingdom(race).buildings.count(kind) + 50}, hands)


@pytest.mark.parametrize("kind", BUILDINGS)
def test_a_building_does_more_than_a_forge_unless_it_is_one(kind: BuildingId) -> None:
    """§4.1, §11.4: the forge is the one that says that it only adds strength."""
    changed = [with_more(race, kind) != with_more(race, "forge") for race in RACES]
    assert any(changed) is (not BUILDINGS[kind].effect.startswith("only"))


@pytest.mark.parametrize("kind", BUILDINGS)
def test_a_building_adds_to_the_strength(kind: BuildingId) -> None:
    """§4.2"""
    start = kingdom()
    more = kingdom(buildings={kind: start.buildings.count(kind) + 2})
    assert more.strength - start.strength == (3000 if kind == "castle" else 6)


def effects(kind: str, field: str) -> Any:
    schema: Any = action_schema(GAME)
    choices = schema["$defs"][kind]["properties"][field]["$defs"]
    assert all(choice["const"] == name for name, choice in choices.items())
    return {name: choice["description"] for name, choice in choices.items()}


def test_clients_get_every_effect_with_the_schema_of_actions() -> None:
    assert effects("Research", "technology") == {each.name: each.effect for each in TECHNOLOGIES.values()}
    assert effects("Build", "building") == {kind: building.effect for kind, building in BUILDINGS.items()}
