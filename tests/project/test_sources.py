"""The shape of the sources: what is registered exists, every module says what it is for, imports point inwards."""

import ast
import os
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = [ROOT / path for path in PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]]
MODULES = sorted(module for package in PACKAGES for module in package.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
MAX_CODE_LINES = 400


def code_lines(source: str) -> int:
    """Return how many lines hold code, and not only a docstring, a comment or nothing."""
    texts = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr) and is_text(node.value)]
    quiet = {line for text in texts for line in range(text.lineno, (text.end_lineno or text.lineno) + 1)}
    lines = enumerate(source.splitlines(), start=1)
    return sum(
        number not in quiet and not line.strip().startswith("#") and bool(line.strip()) for number, line in lines
    )


def is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def test_every_package_under_the_source_roots_is_built() -> None:
    roots = [ROOT / path for path in PROJECT["tool"]["hatch"]["build"]["dev-mode-dirs"]]
    found = {init.parent for root in roots for init in root.glob("*/__init__.py")}
    assert found == set(PACKAGES)
    assert {package.name for package in found} == set(PROJECT["tool"]["importlinter"]["root_packages"])
    assert {package.name for package in found} == set(PROJECT["tool"]["mypy"]["packages"])


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_every_package_tells_type_checkers_that_it_is_typed(package: Path) -> None:
    assert (package / "py.typed").exists()


def test_every_module_says_what_it_is_for() -> None:
    silent = [path for path in [*MODULES, *TESTS] if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert [str(path.relative_to(ROOT)) for path in silent] == []


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    lengths = {str(path.relative_to(ROOT)): code_lines(path.read_text(encoding="utf-8")) for path in MODULES}
    assert {name: lines for name, lines in lengths.items() if lines > MAX_CODE_LINES} == {}


def test_a_package_file_holds_a_docstring_and_re_exports_only_for_other_peoples_programs() -> None:
    used_by_others = ("warroom_client", "warroom_rl")
    files = [path for path in MODULES if path.name == "__init__.py" and path.parent.name not in used_by_others]
    bodies = {str(path.relative_to(ROOT)): len(ast.parse(path.read_text(encoding="utf-8")).body) for path in files}
    assert {name: statements for name, statements in bodies.items() if statements != 1} == {}


@pytest.mark.parametrize("group", ["warroom.commands", "warroom.games"])
def test_everything_registered_can_be_loaded(group: str) -> None:
    declared = PROJECT["project"]["entry-points"][group]
    installed = {point.name: point for point in entry_points(group=group)}
    assert declared.items() <= {name: point.value for name, point in installed.items()}.items()
    assert all(installed[name].load() is not None for name in declared)


def test_every_game_is_held_apart_from_the_others() -> None:
    games = PROJECT["project"]["entry-points"]["warroom.games"].values()
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    (apart,) = [contract["modules"] for contract in contracts if contract["type"] == "independence"]
    assert set(apart) == {module.split(":")[0].rpartition(".")[0] for module in games}


def test_imports_point_inwards(tmp_path: Path) -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    command = [sys.executable, str(linter), "--cache-dir", str(tmp_path)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV_", "COVERAGE_"))}
    answer = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout
