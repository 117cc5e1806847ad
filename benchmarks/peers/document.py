"""The part of docs/PERFORMANCE.md that a run writes, and its plot."""

from pathlib import Path

from benchmarks.peers.plot import draw
from benchmarks.peers.results import RATIOS, Run
from benchmarks.peers.tables import (
    as_markdown,
    deadline_rows,
    figure_rows,
    game_rows,
    growth_rows,
    profile_rows,
    ratio_rows,
    server_rows,
)
from benchmarks.peers.tools import ToolError

BEGIN, END = "<!-- bench: peers -->", "<!-- end of bench -->"
PAGE, PLOT = "PERFORMANCE.md", "performance-peers.svg"


def write_documents(run: Run, folder: Path) -> None:
    """Write a run into the page and the plot beside it."""
    page = folder / PAGE
    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ToolError(f"{page} has no lines {BEGIN} and {END}")
    page.write_text(f"{before}{begin}\n\n{section(run)}\n\n{end}{after}", encoding="utf-8")
    (folder / PLOT).write_text(draw(run), encoding="utf-8")


def section(run: Run) -> str:
    """Return a run as Markdown."""
    machine = ", ".join(f"{name} {value}" for name, value in run.machine.items())
    versions = ", ".join(f"{name} {value}" for name, value in run.versions.items())
    parts = [
        f"`{run.command}`, {run.date}. Machine: {machine}. Versions: {versions}.",
        *run.notes,
        f"![Server CPU of Warroom and its peers]({PLOT})",
        as_markdown(ratio_rows(run)),
        _losses(run),
        as_markdown(server_rows(run)),
        as_markdown(figure_rows(run)),
        as_markdown(deadline_rows(run)),
        as_markdown(game_rows(run)),
        as_markdown(growth_rows(run)),
    ]
    if run.profile is not None:
        calls = f"{run.profile.calls_per_action:g} calls of Python and built-in functions per action"
        parts += [
            "### Where the time goes",
            f"All 200 rooms play, memory store: {calls}.",
            as_markdown(profile_rows(run)),
        ]
    return "\n\n".join(parts)


def _losses(run: Run) -> str:
    """Say plainly where Warroom is more expensive than a peer."""
    lost = []
    for ratio in RATIOS:
        found = run.ratios.get(ratio.name)
        if found is not None and found.median > 1:
            lost.append(f"- {ratio.title}: {found.median:.2f} times the cost")
    return "\n".join(["Warroom loses here:", "", *lost]) if lost else "Warroom loses none of these comparisons."
