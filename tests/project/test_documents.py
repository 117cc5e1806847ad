"""The documents say what is true: their commands exist, their links lead somewhere, their form is kept."""

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest
from documented_commands import ENTRY_POINTS, ROOT, dev_commands, parsed, shell_blocks

DEV_COMMANDS = ("serve", "warroom", "test", "check", "page", "js", "screenshots", "bench", "lock", "help")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
ADRS = sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))
COMMANDS = [
    words
    for document in (ROOT / "README.md", ROOT / "CONTRIBUTING.md")
    for words in dev_commands(shell_blocks(document))
]


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 100


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_in_the_readme_exists_and_takes_these_arguments(words: list[str]) -> None:
    name, *arguments = words
    assert name in DEV_COMMANDS
    if name == "serve":
        name, arguments = "warroom", words
    if name == "warroom" and arguments != ["--help"]:
        assert parsed(arguments[0], arguments[1:])


@pytest.mark.parametrize("command", ENTRY_POINTS)
def test_every_command_says_what_it_does_and_shows_an_example_that_parses(command: str) -> None:
    module = import_module(ENTRY_POINTS[command])
    assert module.SUMMARY
    called = re.fullmatch(r"(?:[A-Z_]+=\S+ )*warroom (\S+)([^|>]*)(?:[|>].*)?", module.EXAMPLE)
    assert called
    assert called[1] == command
    assert parsed(command, shlex.split(called[2]))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files_that_exist(document: Path) -> None:
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text)]
    local = [target for target in targets if target and "://" not in target]
    assert [target for target in local if not (document.parent / target).exists()] == []


@pytest.mark.parametrize(
    "document",
    [path for path in DOCUMENTS if not path.name.startswith("WRITING_A_")],  # whose tests are those of new packages
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_files_of_the_tests_that_a_document_cites_exist(document: Path) -> None:
    cited = re.findall(r"`(tests/[\w/]+(?:\.\w+)?/?)`", document.read_text(encoding="utf-8"))
    assert [path for path in cited if not (ROOT / path).exists()] == []


def test_the_changelog_is_kept_as_it_says() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = re.findall(r"^## (.*)$", text, re.MULTILINE)
    sections = re.findall(r"^### (.*)$", text, re.MULTILINE)
    assert text.startswith("# Changelog\n")
    assert releases[0] == "[Unreleased]"
    assert [title for title in releases[1:] if not re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", title)] == []
    assert set(sections) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Wire", "Rules"}


@pytest.mark.parametrize("adr", ADRS, ids=lambda path: path.stem)
def test_a_decision_has_a_situation_a_decision_and_a_cost_and_is_listed(adr: Path) -> None:
    text = adr.read_text(encoding="utf-8")
    assert text.startswith(f"# {int(adr.name[:4])}. ")
    assert [part for part in ("**Situation.**", "**Decision.**", "**Cost.**") if part not in text] == []
    assert f"({adr.name})" in (ROOT / "docs" / "adr" / "README.md").read_text(encoding="utf-8")


def test_decisions_are_numbered_without_a_gap() -> None:
    assert [int(adr.name[:4]) for adr in ADRS] == list(range(1, len(ADRS) + 1))
