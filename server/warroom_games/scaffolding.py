"""Writes a small package from templates, for authors of games and bots."""

import sys
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from keyword import iskeyword
from pathlib import Path
from re import fullmatch
from shlex import quote
from shutil import which
from string import Template

MAX_NAME = 24
"""Longest name that keeps every generated line within the line length."""


def why_no_package(name: str) -> str | None:
    """Return why a package beside Warroom cannot have that name, or None."""
    if not fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or len(name) > MAX_NAME:
        allowed = f"at most {MAX_NAME} lower-case letters, digits and single underscores, starting with a letter"
        return f"{name!r} is not a valid name; use {allowed}"
    if iskeyword(name) or name in sys.stdlib_module_names:
        return f"{name!r} is not a valid name: it is a Python keyword or standard module"
    if name in ("docs", "tests") or name.startswith("warroom"):
        return f"{name!r} is not available: Warroom has a folder or package of that name"
    return None


def names_of(name: str) -> dict[str, str]:
    """Return the forms of a name that templates use."""
    words = name.split("_")
    return {
        "id": name,
        "title": " ".join(words).title(),
        "class_name": "".join(word.title() for word in words),
        "dashed": "-".join(words),
    }


def create_package(
    folder: Path, templates: Traversable, layout: Mapping[str, str | None], values: Mapping[str, str]
) -> list[Path]:
    """Create a folder with a package, and return the paths of its files; raise `OSError` if that fails.

    *layout* names the template of each file (None: an empty file); paths and templates are filled in with *values*.
    """
    texts = {
        folder / path.format(**values): ""
        if template is None
        else Template((templates / template).read_text(encoding="utf-8")).substitute(values)
        for path, template in layout.items()
    }
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir()
    for path, text in texts.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(texts)


def activation() -> list[str]:
    """Return the line that puts `warroom` and `pytest` on the path, if the user called `./dev` or a full path."""
    script = Path(sys.prefix, "bin", "activate")
    found = which("warroom")
    if not script.is_file() or (found is not None and Path(found).parent == script.parent):
        return []
    here = Path.cwd()
    return [f"  . {quote(str(script.relative_to(here) if script.is_relative_to(here) else script))}"]
