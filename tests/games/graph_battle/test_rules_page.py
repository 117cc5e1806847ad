"""The rules page, the code and the tests cite the same sections, codes, options and events."""

import re
from pathlib import Path

import msgspec
import pytest

from warroom_games.graph_battle import events
from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.rules import GAME
from warroom_games.graph_battle.state import Table

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/rules/graph_battle.md").read_text()
CODE = "".join(path.read_text() for path in sorted((ROOT / "server/warroom_games/graph_battle").glob("*.py")))
TESTS = "".join(path.read_text() for path in sorted(Path(__file__).parent.glob("test_*.py")))

SECTIONS = re.findall(r"^- \*\*(\d\.\d)\*\*", PAGE, re.MULTILINE)


def cited(text: str) -> set[str]:
    return set(re.findall(r"§(\d\.\d)", text))


def test_the_page_numbers_its_rules_in_order() -> None:
    assert sorted(SECTIONS) == SECTIONS
    assert len(set(SECTIONS)) == len(SECTIONS) > 30


@pytest.mark.parametrize("text", [CODE, TESTS], ids=["code", "tests"])
def test_only_sections_that_exist_are_cited(text: str) -> None:
    assert cited(text) <= set(SECTIONS)


def test_every_section_is_tested() -> None:
    assert set(SECTIONS) == cited(TESTS)


def test_every_refusal_is_on_the_page_and_tested() -> None:
    raised = set(re.findall(r'IllegalActionError\(\s*"([a-z_.]+)"', CODE))
    listed = set(re.findall(r"^\| `([a-z_]+\.[a-z_]+)` \|", PAGE, re.MULTILINE))
    assert raised == listed
    assert {code for code in raised if f'"{code}"' in TESTS} == raised


def test_every_option_is_on_the_page_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (\S+) \| [^|]+ \| (?:section )?\d", PAGE, re.MULTILINE))
    defaults = msgspec.to_builtins(Options())
    assert {name: str(value).strip("`").lower() for name, value in rows.items()} == {
        name: str(value).lower() for name, value in defaults.items()
    }


def test_every_event_is_on_the_page_with_its_fields() -> None:
    kinds = [kind for kind in vars(events).values() if isinstance(kind, type) and kind.__module__ == events.__name__]
    assert len(kinds) == 8
    for kind in kinds:
        fields = ", ".join(f"`{name}`" for name in kind.__struct_fields__)
        assert f"| `{kind.__struct_config__.tag}` | {fields} |" in PAGE


def test_every_key_of_the_view_is_on_the_page() -> None:
    viewers = PAGE.split("## 9.")[1].split("## 10.")[0]
    assert {name for name in Table.__struct_fields__ if f"`{name}`" in viewers} == set(Table.__struct_fields__)


def test_the_page_names_the_game_and_its_version() -> None:
    assert f"Game id `{GAME.info.id}`, rules version {GAME.info.rules_version}." in PAGE
