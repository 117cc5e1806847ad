"""Build the page: `./dev page`. With `--check`, write nothing and fail if the committed build is out of date.

The built files are in the server's package. The build is reproducible, so a test can check that they are current.
"""

import sys
import tempfile
from pathlib import Path

import generate_types
from node_packages import CLIENTS, WEB, BuildError, install, tool

BUILT = CLIENTS.parent / "server" / "warroom_server" / "page"


def build(target: Path) -> None:
    """Build the page into a folder."""
    tool(WEB, "vite", "build", "--outDir", str(target), "--emptyOutDir", "--logLevel", "warn")


def differences(one: Path, other: Path) -> list[str]:
    """Return the names of the files that differ between two folders."""
    contents = [
        {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in (one, other)
    ]
    names = sorted(contents[0].keys() | contents[1].keys())
    return [name for name in names if contents[0].get(name) != contents[1].get(name)]


def main(arguments: list[str]) -> int:
    """Build the page, or check the build."""
    try:
        install()
        if "--check" in arguments:
            return _check()
        generate_types.main([])
        tool(CLIENTS, "biome", "check", "--error-on-warnings")
        tool(WEB, "tsc", "--noEmit")
        build(BUILT)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _check() -> int:
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
        changed = differences(Path(folder), BUILT)
    for name in changed:
        print(f"{name} is out of date; run `./dev page`", file=sys.stderr)
    return 1 if changed or generate_types.main(["--check"]) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
