"""What every rules page owes its readers: the code and the tests cite its sections, codes, options, events and views.

A game's own test file makes a class of these and says only what is special about the game:

    class TestThePage(RulesPage):
        game = GAME
        views = (Table, Card)
"""

import re
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import msgspec
from msgspec import Struct

from warroom_games.api import AnyGame
from warroom_games.forms import forms_of
from warroom_games.rulebook import FIRST, how_to_play
from warroom_terminal.choices import Choices

ROOT = Path(__file__).resolve().parents[2]


class RulesPage:
    """The page of one game, and what is held against it; a subclass is a test."""

    game: ClassVar[AnyGame]
    views: ClassVar[tuple[type[Struct], ...]]
    """The Structs whose fields the section on viewers explains."""
    refusals: ClassVar[str] = r'IllegalActionError\(\s*"([a-z_.]+)"'
    """How the code of a refusal is found in the sources."""

    @cached_property
    def page(self) -> str:
        return (ROOT / "docs" / "rules" / f"{self.game.info.id}.md").read_text(encoding="utf-8")

    @cached_property
    def code(self) -> str:
        return _joined(ROOT / "server" / "warroom_games" / self.game.info.id, "*.py")

    @cached_property
    def tests(self) -> str:
        return _joined(ROOT / "tests" / "games" / self.game.info.id, "test_*.py")

    @cached_property
    def rules(self) -> list[str]:
        """The numbers of all rules, in the order of the page."""
        return re.findall(r"^- \*\*(\d+\.\d+)\*\*", self.page, re.MULTILINE)

    def section(self, title: str) -> str:
        """Return the text under a heading."""
        return re.split(rf"^## \d+\. {title}$", self.page, flags=re.MULTILINE)[1].split("\n## ")[0]

    def cited(self, text: str) -> set[str]:
        """Return the rules that a text names, those inside `§6.1 to §6.4` included."""
        found = set(re.findall(r"§(\d+\.\d+)", text))
        for first, last in re.findall(r"§(\d+\.\d+) to §(\d+\.\d+)", text):
            found |= set(self.rules[self.rules.index(first) : self.rules.index(last)])
        return found

    def test_the_page_begins_with_how_to_play_and_what_it_says_can_be_typed(self) -> None:
        assert re.findall(r"^## (.*)$", self.page, re.MULTILINE)[0] == FIRST
        short = how_to_play(self.page) or ""
        assert re.findall(r"^- \*\*(.*?)\.\*\*", short, re.MULTILINE) == ["Goal", "A turn", "A first move"]
        forms = forms_of(self.game.action_type)
        typed = [span for span in re.findall(r"`([^`]+)`", short) if span.split()[0] in forms]
        assert typed
        for span in typed:
            Choices((), is_complete=False, turn=1, forms=forms).read(span)

    def test_the_page_numbers_its_rules_in_order(self) -> None:
        numbers = [tuple(map(int, rule.split("."))) for rule in self.rules]
        assert numbers
        assert sorted(set(numbers)) == numbers

    def test_the_code_cites_only_rules_that_exist(self) -> None:
        assert self.cited(self.code) - set(self.rules) == set()

    def test_every_rule_is_tested_and_only_those_are_cited(self) -> None:
        assert self.cited(self.tests) ^ set(self.rules) == set()

    def test_every_refusal_is_on_the_page_and_tested(self) -> None:
        raised = set(re.findall(self.refusals, self.code))
        listed = set(re.findall(r"^\| `([a-z_]+\.[a-z_]+)` \|", self.page, re.MULTILINE))
        assert raised == listed
        assert {code for code in raised if f'"{code}"' not in self.tests} == set()

    def test_every_option_is_on_the_page_with_its_default(self) -> None:
        row = r"^\| `(\w+)` \| `?(\S+?)`? \| [^|]+ \| (?:section )?\d"
        defaults = msgspec.to_builtins(self.game.options_type())
        assert dict(re.findall(row, self.section("Options"), re.MULTILINE)) == {
            name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in defaults.items()
        }

    def test_every_event_is_on_the_page_with_its_fields(self) -> None:
        rows = re.findall(r"^\| `(\w+)` \| (`[^|]+) \|", self.section("Events"), re.MULTILINE)
        assert dict(rows) == {
            kind.__struct_config__.tag: ", ".join(f"`{name}`" for name in kind.__struct_fields__)
            for kind in _structs(import_module(f"warroom_games.{self.game.info.id}.events"))
            if kind.__struct_config__.tag is not None
        }

    def test_every_key_of_the_views_is_on_the_page(self) -> None:
        viewers = self.section("What each viewer sees")
        names = {f"{view.__name__}.{name}": name for view in self.views for name in view.__struct_fields__}
        assert {full: name for full, name in names.items() if f"`{name}`" not in viewers} == {}

    def test_every_action_is_on_the_page(self) -> None:
        kinds = getattr(self.game.action_type, "__args__", (self.game.action_type,))
        tags = {kind.__struct_config__.tag for kind in kinds}
        assert {tag for tag in tags if not re.search(rf"\b{tag}\b", self.section("Actions and refusals"))} == set()

    def test_the_page_names_the_game_and_its_version(self) -> None:
        info = self.game.info
        assert f"Game id `{info.id}`, rules version {info.rules_version}." in self.page


def _joined(folder: Path, pattern: str) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob(pattern)))


def _structs(module: ModuleType) -> list[type[Struct]]:
    """Return the Structs that a module defines."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Struct)]
    return [kind for kind in kinds if kind.__module__ == module.__name__]
