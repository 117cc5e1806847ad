"""Hints in the types of views and actions: how the page shows a game that has no board of its own.

A hint stands beside a type: `Annotated[tuple[Seat | None, ...], grid(columns=3)]`. It adds a keyword to the JSON schema
of the type and changes nothing else. docs/WRITING_A_GAME.md shows them in use.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from msgspec import Meta

Path: TypeAlias = Sequence[str | int]
"""The keys that lead from the public view to one of its parts."""

HINTS: Final = frozenset({"x-grid", "x-columns", "x-graph", "x-seat", "x-by-seat", "x-symbols", "x-costs", "x-hidden"})
"""All keywords that hints add. A strict validator must be told about them."""

DRAWINGS: Final = frozenset({"x-grid", "x-columns", "x-graph"})
"""Hints that make a drawing to click on."""

SEAT: Final = Meta(extra_json_schema={"x-seat": True})
"""On an integer: it is a seat, shown as the name and colour of its player."""

BY_SEAT: Final = Meta(extra_json_schema={"x-by-seat": True})
"""On a list with an item for each seat: shown as columns of one table of the players."""

HIDDEN: Final = Meta(extra_json_schema={"x-hidden": True})
"""On a field of a view: not shown, because it is for programs or because something else shows it."""


def grid(
    *,
    columns: int | Path,
    fields: Sequence[str] = ("cell",),
    seat: str = "seat",
    color: str = "color",
    label: str = "label",
) -> Meta:
    """On a list of cells, row by row from the top: a grid with so many *columns*, a number or the path to one.

    *fields* are the fields of actions that name a cell by its index, in the order of choosing. A cell is the seat that
    holds it, or None, or a text, or a Struct with a field for its *seat*, *color* and *label*.
    """
    return _drawing("x-grid", {"columns": _plain(columns)}, fields, seat, color, label)


def stacks(
    *,
    rows: int | Path,
    fields: Sequence[str] = ("column",),
    seat: str = "seat",
    color: str = "color",
    label: str = "label",
) -> Meta:
    """On a list of columns, each a list of pieces from the bottom: a board of columns with room for so many *rows*.

    *fields* are the fields of actions that name a column by its index. Pieces are as the cells of a `grid`.
    """
    return _drawing("x-columns", {"rows": _plain(rows)}, fields, seat, color, label)


def graph(
    *,
    edges: Path,
    positions: Path = (),
    fields: Sequence[str] = ("node",),
    seat: str = "seat",
    color: str = "color",
    label: str = "label",
) -> Meta:
    """On a list of nodes: a graph. *edges* leads to the list of the neighbours of each node.

    *positions* leads to row and column of each node; without it, the nodes stand on a circle. *fields* name nodes by
    their indices, and nodes are as the cells of a `grid`.
    """
    return _drawing("x-graph", {"edges": list(edges), "positions": list(positions)}, fields, seat, color, label)


def symbols(*texts: str) -> Meta:
    """On an integer: shown as the text at its place, such as a die or a suit."""
    return Meta(extra_json_schema={"x-symbols": list(texts)})


def costs(field: str, *, unit: str = "") -> Meta:
    """On the prices of choices, a map or list: each is shown beside the actions that name the choice in *field*.

    A price is a number of *unit*, or a map of numbers by what has to be paid.
    """
    return Meta(extra_json_schema={"x-costs": {"field": field, "unit": unit}})


def _drawing(keyword: str, own: dict[str, Any], fields: Sequence[str], seat: str, color: str, label: str) -> Meta:
    hint = {**own, "fields": list(fields), "seat": seat, "color": color, "label": label}
    return Meta(extra_json_schema={keyword: hint})


def _plain(number: int | Path) -> int | list[str | int]:
    return number if isinstance(number, int) else list(number)
