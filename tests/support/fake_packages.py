"""Packages that look installed to whoever searches a folder, without an installer."""

from pathlib import Path


def install_game(folder: Path, name: str, source: str | None, *, package: str | None = None) -> None:
    """Offer a game *name* whose module `NAME_rules` has that source; None: its module was deleted."""
    _install(folder, package or f"warroom-{name}", f"[warroom.games]\n{name} = {name}_rules:GAME\n")
    if source is not None:
        (folder / f"{name}_rules.py").write_text(source)


def install_bot(folder: Path, name: str, source: str) -> None:
    """Offer a bot *name* whose module `NAME_bot` has that source."""
    _install(folder, f"warroom-{name}-bot", f"[warroom.bots]\n{name} = {name}_bot:BOT\n")
    (folder / f"{name}_bot.py").write_text(source)


def _install(folder: Path, package: str, entry_points: str) -> None:
    about = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(entry_points)
