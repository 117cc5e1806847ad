"""The rules page, the code and the tests cite the same sections, codes, options, events and figures."""

import re
from pathlib import Path

import msgspec
import pytest

from warroom_games.thardferr import events
from warroom_games.thardferr.buildings import BUILDINGS
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.state import Kingdom, Record
from warroom_games.thardferr.technologies import TECHNOLOGIES
from warroom_games.thardferr.units import RACES, UNITS
from warroom_games.thardferr.views import Forecast, Secret, Standing, Table

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/rules/thardferr.md").read_text(encoding="utf-8")
CODE = "".join(path.read_text() for path in sorted((ROOT / "server/warroom_games/thardferr").glob("*.py")))
TESTS = "".join(path.read_text() for path in sorted(Path(__file__).parent.glob("test_*.py")))

SECTIONS = re.findall(r"^- \*\*(\d+\.\d+)\*\*", PAGE, re.MULTILINE)


def cited(text: str) -> set[str]:
    """Sections that a text names, those inside `§6.1 to §6.4` included."""
    found = set(re.findall(r"§(\d+\.\d+)", text))
    for first, last in re.findall(r"§(\d+\.\d+) to §(\d+\.\d+)", text):
        found |= set(SECTIONS[SECTIONS.index(first) : SECTIONS.index(last)])
    return found


def test_the_page_numbers_its_rules_in_order() -> None:
    assert sorted(SECTIONS, key=lambda section: [int(part) for part in section.split(".")]) == SECTIONS
    assert len(set(SECTIONS)) == len(SECTIONS) > 80


@pytest.mark.parametrize("text", [CODE, TESTS], ids=["code", "tests"])
def test_only_sections_that_exist_are_cited(text: str) -> None:
    assert cited(text) <= set(SECTIONS)


def test_every_section_is_tested() -> None:
    assert set(SECTIONS) - cited(TESTS) == set()


def test_every_refusal_is_on_the_page_and_tested() -> None:
    raised = set(re.findall(r'IllegalActionError\(\s*"([a-z_.]+)"', CODE))
    listed = set(re.findall(r"^\| `([a-z_]+\.[a-z_]+)` \|", PAGE, re.MULTILINE))
    assert raised == listed
    assert {code for code in raised if f'"{code}"' in TESTS} == raised


def test_every_option_is_on_the_page_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (\S+) \| [^|]+ \| (?:section )?\d", PAGE, re.MULTILINE))
    defaults = msgspec.to_builtins(Options())
    assert {name: rows[name].strip("`") for name in defaults} == {name: str(value) for name, value in defaults.items()}


def test_every_event_is_on_the_page_with_its_fields() -> None:
    kinds = [kind for kind in vars(events).values() if isinstance(kind, type) and kind.__module__ == events.__name__]
    tagged = [kind for kind in kinds if kind.__struct_config__.tag]
    assert len(tagged) == 22
    for kind in tagged:
        fields = ", ".join(f"`{name}`" for name in kind.__struct_fields__)
        assert f"| `{kind.__struct_config__.tag}` | {fields} |" in PAGE
    blow = ", ".join(f"`{name}`" for name in ("side", "unit", "count", "raw", "mitigation", "reduction", "damage"))
    assert blow in PAGE


@pytest.mark.parametrize("view", [Table, Standing, Secret, Kingdom, Forecast, Record], ids=lambda view: view.__name__)
def test_every_key_of_the_views_is_on_the_page(view: type[msgspec.Struct]) -> None:
    viewers = PAGE.split("## 19.")[1].split("## 20.")[0]
    assert [name for name in view.__struct_fields__ if f"`{name}`" not in viewers] == []


def test_every_unit_building_and_technology_is_on_the_page_with_its_figures() -> None:
    for unit in (unit for race in RACES for unit in UNITS[race].values()):
        row = rf"\| {unit.race} \| {unit.name} \| {unit.melee} / {unit.short} / {unit.range} \| {unit.defence} \|"
        assert re.search(rf"{row}.*\| {unit.gold} / {unit.iron} / {unit.wood} \|", PAGE)
    for kind, building in BUILDINGS.items():
        assert f"| `{kind}` | {building.name} | {building.gold} | {building.iron} | {building.wood} |" in PAGE
    for each in TECHNOLOGIES.values():
        assert f"| {each.name} | {each.max_level} | {each.gold} | {each.days} | {each.after or '-'} |" in PAGE


def test_the_page_names_the_game_and_its_version() -> None:
    assert f"Game id `{GAME.info.id}`, rules version {GAME.info.rules_version}." in PAGE
