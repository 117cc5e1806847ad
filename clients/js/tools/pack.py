"""Build the JavaScript package and pack it: `./dev js [DIR]` writes warroom-client-VERSION.tgz into DIR (dist)."""

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import generate_types
from node_packages import CLIENTS, JS, BuildError, install, npm, tool

ROOT = CLIENTS.parent


def check() -> None:
    """Check the style and the types of the package, its tests and its examples."""
    tool(CLIENTS, "biome", "check", "--error-on-warnings")
    for project in (JS, JS / "tests"):
        tool(CLIENTS, "tsc", "--noEmit", "--project", str(project))


def build(target: Path) -> None:
    """Build the package into a folder: what users get."""
    dist = target / "dist"
    tool(JS, "vite", "build", "--outDir", str(dist), "--emptyOutDir", "--logLevel", "warn")
    declared = ("--declaration", "--emitDeclarationOnly", "--noEmit", "false", "--outDir", str(dist))
    tool(JS, "tsc", "--project", str(JS), *declared)
    shutil.copytree(JS / "examples", target / "examples", dirs_exist_ok=True)
    shutil.copy(JS / "README.md", target)
    shutil.copy(ROOT / "LICENSE", target)
    (target / "package.json").write_text(json.dumps(manifest(), indent=2) + "\n", encoding="utf-8")


def manifest() -> dict[str, Any]:
    """Return the package.json of users, without what only the sources need."""
    own: dict[str, Any] = json.loads((JS / "package.json").read_text(encoding="utf-8"))
    for conditions in own["exports"].values():
        conditions.pop("warroom-source")
    return {name: value for name, value in own.items() if name not in {"scripts", "devDependencies"}}


def pack(folder: Path) -> Path:
    """Build the package, pack it into a folder, and return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as target:
        build(Path(target))
        packed = json.loads(
            npm(Path(target), "pack", "--json", "--loglevel", "error", "--pack-destination", str(folder.resolve()))
        )
    return folder / str(packed[0]["filename"])


def main(arguments: list[str]) -> int:
    """Check, build and pack the package."""
    if len(arguments) > 1:
        print(f"expected one folder at most, got {' '.join(arguments)}", file=sys.stderr)
        return 2
    try:
        install()
        generate_types.main([])
        check()
        print(pack(Path(*arguments) if arguments else ROOT / "dist"))
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
