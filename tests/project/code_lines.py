"""Counts lines of code: no blank lines, comments or docstrings. `python tests/project/code_lines.py` prints a table."""

import ast
import io
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TextIO

SERVER: Final = Path(__file__).parents[2] / "server" / "warroom_server"

MANY_NODES: Final = (
    "cluster/**/*.py",
    "restoring/waiting_clients.py",
    "hosting/barred_requests.py",
    "hosting/ownership_gate.py",
    "storage/log_repair.py",
    "room/handoff_state.py",
    "ports/peers.py",
    "adapters/websocket/peer*.py",
    "adapters/process/own_address.py",
    "adapters/redis/listings.py",
    "adapters/redis/rooms_by_owner.py",
    "adapters/redis/scripts/claim_room.lua",
    "adapters/redis/scripts/quick_match.lua",
    "adapters/redis/scripts/release_room.lua",
    "adapters/redis/scripts/renew_lease.lua",
    "adapters/redis/scripts/begin_new_life.lua",
    "adapters/redis/scripts/suspect_node.lua",
)
"""The modules that a server of one node on its own store would not need; adapters in memory are for tests."""

LAYOUT_TOKENS: Final = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}


def code_lines(path: Path) -> int:
    """Return how many lines of the file hold code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".lua":
        return sum(bool(line.strip()) and not line.lstrip().startswith("--") for line in text.splitlines())
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT_TOKENS and token.string:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - set(_docstring_lines(ast.parse(text))))


def _docstring_lines(tree: ast.Module) -> Iterator[int]:
    """Yield the lines of every string that is a statement of its own: docstrings, also those of attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def many_node_modules() -> list[Path]:
    """Return the modules for many nodes that exist."""
    return sorted({path for pattern in MANY_NODES for path in SERVER.glob(pattern)})


def server_modules() -> list[Path]:
    """Return all modules of the server without its commands and templates."""
    found = [*SERVER.rglob("*.py"), *SERVER.rglob("*.lua")]
    return sorted(path for path in found if path.relative_to(SERVER).parts[0] != "commands")


def main(out: TextIO) -> None:
    """Write the counts by folder, and those for many nodes by module."""
    folders: dict[str, int] = {}
    for path in server_modules():
        folder = path.relative_to(SERVER).parent.as_posix()
        folders[folder] = folders.get(folder, 0) + code_lines(path)
    for folder, lines in sorted(folders.items()):
        out.write(f"{lines:6}  {folder}\n")
    out.write(f"{sum(folders.values()):6}  the server without its commands\n\n")
    counts = {path: code_lines(path) for path in many_node_modules()}
    for path, lines in counts.items():
        out.write(f"{lines:6}  {path.relative_to(SERVER)}\n")
    out.write(f"{sum(counts.values()):6}  for many nodes\n")


if __name__ == "__main__":
    main(sys.stdout)
