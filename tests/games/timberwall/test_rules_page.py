"""The rules page, the code and the tests cite the same sections, codes, options, views and events."""

import re
from pathlib import Path

import msgspec
import pytest

from warroom_games.timberwall import events
from warroom_games.timberwall.actions import Action
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import Board, Cooling, Holding, Knowledge, Table, Unit, Wall
from warroom_games.timberwall.units import LEVELS, level, luck_of, tier, wall_damage

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/rules/timberwall.md").read_text()
CODE = "".join(path.read_text() for path in sorted((ROOT / "server/warroom_games/timberwall").glob("*.py")))
TESTS = "".join(path.read_text() for path in sorted(Path(__file__).parent.glob("test_*.py")))

SECTIONS = re.findall(r"^- \*\*(\d+\.\d+)\*\*", PAGE, re.MULTILINE)


def cited(text: str) -> set[str]:
    return set(re.findall(r"§(\d+\.\d+)", text))


def section(number: int) -> str:
    return PAGE.split(f"## {number}.")[1].split(f"## {number + 1}.")[0]


def test_the_page_numbers_its_rules_in_order() -> None:
    numbers = [tuple(map(int, each.split("."))) for each in SECTIONS]
    assert sorted(numbers) == numbers
    assert len(set(numbers)) == len(numbers) > 50


@pytest.mark.parametrize("text", [CODE, TESTS], ids=["code", "tests"])
def test_only_sections_that_exist_are_cited(text: str) -> None:
    assert cited(text) <= set(SECTIONS)


def test_every_section_is_tested() -> None:
    assert set(SECTIONS) - cited(TESTS) == set()


def test_every_refusal_is_on_the_page_and_tested() -> None:
    raised = set(re.findall(r'IllegalActionError\(\s*"([a-z_.]+)"', CODE))
    listed = set(re.findall(r"^\| `([a-z_]+\.[a-z_]+)` \|", PAGE, re.MULTILINE))
    assert raised == listed
    assert {code for code in raised if f'"{code}"' not in TESTS} == set()


def test_every_option_is_on_the_page_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (\S+) \| [^|]+ \| (?:section )?\d", section(11), re.MULTILINE))
    defaults = msgspec.to_builtins(Options())
    assert rows == {name: str(value).lower() for name, value in defaults.items()}


def test_every_event_is_on_the_page_with_its_fields() -> None:
    structs = [kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    kinds = [kind for kind in structs if kind.__module__ == events.__name__]
    assert len(kinds) == 14
    for kind in kinds:
        fields = ", ".join(f"`{name}`" for name in kind.__struct_fields__)
        assert f"| `{kind.__struct_config__.tag}` | {fields} |" in PAGE


@pytest.mark.parametrize(
    "kind", [Table, Knowledge, Board, Holding, Unit, Wall, Cooling], ids=lambda kind: kind.__name__
)
def test_every_key_of_the_views_is_on_the_page(kind: type[msgspec.Struct]) -> None:
    viewers = section(12)
    assert {name for name in kind.__struct_fields__ if f"`{name}`" not in viewers} == set()


def test_every_action_is_on_the_page() -> None:
    """§13.1"""
    tags = {kind.__struct_config__.tag for kind in Action.__args__}
    assert {tag for tag in tags if f"{tag}" not in section(13)} == set()
    assert len(tags) == 10


def test_the_table_of_units_is_that_of_the_code() -> None:
    """§2.2"""
    rows = re.findall(r"^\| (\d) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d) \| (\d+) \|$", section(2), re.MULTILINE)
    numbers = [tuple(map(int, row)) for row in rows]
    assert [points for row in numbers for points in row[1:5]] == list(LEVELS)
    for rank, *points, luck, damage in numbers:
        assert [(tier(each), level(each)) for each in points] == [(rank, step) for step in (1, 2, 3, 4)]
        assert (luck_of(points[0]), wall_damage(points[0])) == (luck, damage)


def test_the_page_names_the_game_and_its_version() -> None:
    assert f"Game id `{GAME.info.id}`, rules version {GAME.info.rules_version}." in PAGE
