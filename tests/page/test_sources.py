"""The sources of the page: types, formatting, tests, and a current build."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import build
import generate_types
import pytest
from lobby import LOBBY, lobby_files
from node_packages import CLIENTS, JS, WEB, install, tool

MAX_PAGE_BYTES = 60_000
"""The limit of what a browser loads for any one game, compressed, without 3D."""
MAX_LINES = 400


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    install()


def test_the_built_page_is_what_the_sources_give(tmp_path: Path) -> None:
    build.build(tmp_path)
    assert build.differences(tmp_path, build.BUILT) == [], "run `./dev page` and commit what it builds"


def test_the_types_are_what_the_protocol_and_the_games_say() -> None:
    stale = [path.name for path, text in generate_types.files().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run `./dev page` and commit what it writes"


def test_the_types_fit() -> None:
    tool(WEB, "tsc", "--noEmit")


def test_the_sources_are_tidy() -> None:
    tool(CLIENTS, "biome", "check", "--error-on-warnings")


def test_the_pure_parts_pass_their_own_tests() -> None:
    tool(WEB, "vitest", "run")


def test_the_lock_file_names_no_host() -> None:
    lock = json.loads((CLIENTS / "package-lock.json").read_text(encoding="utf-8"))
    fetched = {name: package for name, package in lock["packages"].items() if "/" in name and "link" not in package}
    assert [name for name, package in fetched.items() if "resolved" in package] == []
    assert all("integrity" in package for package in fetched.values())


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    sources = [path for root in (JS, WEB) for path in (root / "src").rglob("*.ts*") if "generated" not in path.parts]
    lengths = {str(path.relative_to(CLIENTS)): len(path.read_text(encoding="utf-8").splitlines()) for path in sources}
    assert {name: lines for name, lines in lengths.items() if lines > MAX_LINES} == {}


MANIFEST: dict[str, dict[str, Any]] = json.loads((build.BUILT / ".vite" / "manifest.json").read_text(encoding="utf-8"))
BOARDS = [name for name in MANIFEST if re.fullmatch(r"src/boards/\w+/index.tsx", name)]
RULES = "src/room/rules.tsx"
WITH_BOARDS = ["src/room/screen.tsx", "src/replay/screen.tsx", "src/lists/watch.tsx"]
"""The screens that show boards."""
SCREENS = [name for name, chunk in MANIFEST.items() if chunk.get("isDynamicEntry") and name not in BOARDS]
"""Everything else that loads on first use: lobby, room, replays, lists, rules, the calculator."""


STRATA, SCENE = "src/boards/strata/index.tsx", "src/boards/strata/scene.ts"
IN_THREE_DIMENSIONS = {
    path.relative_to(build.BUILT).as_posix()
    for path in build.BUILT.rglob("*.js")
    if "THREE.WebGLRenderer" in path.read_text(encoding="utf-8")
}
"""The files that hold three.js."""


def loaded_with(name: str) -> set[str]:
    """Return the files that a browser loads for one part of the page."""
    chunk = MANIFEST[name]
    return {chunk["file"], *chunk.get("css", [])}.union(*map(loaded_with, chunk.get("imports", [])))


def weights(*names: str) -> dict[str, int]:
    """Return the compressed sizes of the files that a browser loads for some parts of the page and its shell.

    Three dimensions apart.
    """
    loaded = {"index.html"}.union(*map(loaded_with, ("index.html", *names))) - IN_THREE_DIMENSIONS
    return {name: len(gzip.compress((build.BUILT / name).read_bytes(), 9, mtime=0)) for name in loaded}


def test_three_dimensions_come_with_the_model_of_strata_alone() -> None:
    assert len(IN_THREE_DIMENSIONS) == 1
    with_them = {name for name in MANIFEST if IN_THREE_DIMENSIONS & loaded_with(name)}
    assert {name for name in with_them if MANIFEST[name]["file"] not in IN_THREE_DIMENSIONS} == {SCENE}
    assert [name for name, chunk in MANIFEST.items() if SCENE in chunk.get("dynamicImports", [])] == [STRATA]


@pytest.mark.parametrize("part", SCREENS)
def test_a_screen_weighs_little(part: str) -> None:
    found = weights(part)
    assert sum(found.values()) <= MAX_PAGE_BYTES, found


@pytest.mark.parametrize("screen", WITH_BOARDS)
@pytest.mark.parametrize("board", BOARDS)
def test_a_match_weighs_little_however_it_is_looked_at(screen: str, board: str) -> None:
    """With everything open beside the board: its lazy parts, and the rules."""
    found = weights(screen, board, RULES, *MANIFEST[board].get("dynamicImports", []))
    assert sum(found.values()) <= MAX_PAGE_BYTES, found


def test_the_benchmark_weighs_all_of_the_lobby() -> None:
    assert {path.relative_to(build.BUILT).as_posix() for path in lobby_files()} == weights(LOBBY).keys()
