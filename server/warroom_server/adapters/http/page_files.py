"""The files of the page and of the games' boards and rules: read once, answered from memory.

All answers are prepared when the server starts: compressed, with an ETag, and with headers that let the page run its
own scripts and nothing else.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from warroom_games.api import AnyGame
from warroom_games.rulebook import package_of, rules_page
from warroom_games.schemas import hinted_schemas
from warroom_games.sentences import Telling
from warroom_server.ports.connections import HttpResponse

DEBUG_PATH = "/debug"
"""The page for debugging, which only servers with `--debug` answer."""
_PAGES = {"index.html": "/", "debug.html": DEBUG_PATH}
BOARD = "board"
"""The folder in the package of a game whose files the page may load."""
BOARD_MODULE = "board.js"
"""The file in it that draws the board."""
ASSETS = "assets"
"""The folder of files whose names change with their content."""

TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "md": "text/markdown; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webp": "image/webp",
    "woff2": "font/woff2",
}
PACKED = frozenset({"png", "webp", "woff2"})
"""File types that are compressed already."""

OWN_ALONE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The page may load content from its own server only."""
FOR_EVER = "public, max-age=31536000, immutable"
ASK_FIRST = "no-cache"
"""A browser may keep the file, and asks each time whether it changed."""

COMPRESSION = 9


def page_files(games: Iterable[AnyGame], *, is_debug: bool = False) -> dict[str, HttpResponse]:
    """Return the answer to each path: the page, and for each game its rules and the board that its package ships."""
    built = ((path, file) for path, file in _built() if is_debug or path != DEBUG_PATH)
    answers = {path: _answer(file.name, file.read_bytes(), path) for path, file in built}
    boards: defaultdict[str, dict[str, object]] = defaultdict(dict)
    for game in games:
        name = game.info.id
        if (rules := rules_page(game)) is not None:
            boards[name]["rules"] = address = f"/api/rules/{name}"
            answers[address] = _answer("rules.md", rules.encode(), "")
        for path, body in _board_files(game):
            answers[f"/boards/{name}/{path}"] = _answer(path, body, "")
            if path == BOARD_MODULE:
                boards[name]["module"] = f"/boards/{name}/{path}"
        boards[name] |= hinted_schemas(game)
        if isinstance(game, Telling):
            boards[name]["sentences"] = msgspec.to_builtins(game.sentences)
    answers["/api/boards"] = _answer("boards.json", json.dumps(boards).encode(), "")
    return answers


def _board_files(game: AnyGame) -> Iterator[tuple[str, bytes]]:
    """Yield name and contents of each file of the board that the game's package ships."""
    package = package_of(game)
    folder = files(package) / BOARD if package else None
    if folder is None or not folder.is_dir() or not (folder / BOARD_MODULE).is_file():
        return
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        if file.is_file():
            yield file.name, file.read_bytes()


def _built() -> Iterator[tuple[str, Traversable]]:
    """Yield each built file with its path in URLs."""
    root = files("warroom_server") / "page"
    if not root.is_dir():
        return
    for file in root.iterdir():
        if file.is_file():
            yield _PAGES.get(file.name, f"/{file.name}"), file
    for file in (root / ASSETS).iterdir():
        yield f"/{ASSETS}/{file.name}", file


def _answer(name: str, body: bytes, path: str) -> HttpResponse:
    kind = name.rpartition(".")[2]
    keep = FOR_EVER if path.startswith(f"/{ASSETS}/") else ASK_FIRST
    tag = f'"{sha256(body).hexdigest()[:20]}"'
    packed = None if kind in PACKED else gzip.compress(body, COMPRESSION, mtime=0)
    return HttpResponse(
        200,
        body,
        TYPES.get(kind, "application/octet-stream"),
        {"Content-Security-Policy": OWN_ALONE, "Cache-Control": keep, "ETag": tag},
        packed if packed is not None and len(packed) < len(body) else None,
    )
