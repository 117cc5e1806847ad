"""Positions of Graph Battle, drawn as text."""

from itertools import count
from typing import Any

from warroom_games.graph_battle.board import HEXAGONS, SQUARES, link
from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.state import COLORS, Node, State, Table
from warroom_games.rng import Rng

KEY = b"graph positions!"


def position(picture: str, *, rng: Any = None, options: Options | None = None, **fields: Any) -> State:
    """Return the state that a picture shows.

    One line a row, one word a cell: `R3` is a red node of strength 3, `.` is no node. Colours that are not in the
    picture, up to the last one that is, are out of play; *fields* are those of `Table`. Seats play in their own
    order, unless *fields* say otherwise.
    """
    cells = {
        (row, column): Node(_color(word[0]), int(word[1:]))
        for row, line in enumerate(picture.strip().splitlines())
        for column, word in enumerate(line.split())
        if word != "."
    }
    shown = {node.color for node in cells.values()}
    colors = COLORS[: 1 + max(COLORS.index(color) for color in shown)]
    fields.setdefault("out", tuple(seat for seat, color in enumerate(colors) if color not in shown))
    fields.setdefault("order", tuple(range(len(colors))))
    fields.setdefault("seat", fields["order"][0])
    nodes = tuple(cells[cell] for cell in sorted(cells))
    options = options or Options()
    board = link(cells, HEXAGONS if options.board == "hex" else SQUARES)
    table = Table(options=options, board=board, nodes=nodes, colors=colors, **fields)
    return State(table, Rng(KEY) if rng is None else rng)


def shown(table: Table) -> str:
    """Return the nodes of a table as `position` reads them, in one line."""
    return " ".join(f"{node.color[0].upper()}{node.strength}" for node in table.nodes)


def coins(flips: str) -> Rng:
    """Return a generator whose next flips are these: `a` for the attacker, `d` for the defender."""
    wanted = sum(1 << index for index, flip in enumerate(flips) if flip == "a")
    return next(rng for rng in (Rng(KEY, n) for n in count()) if rng.bits(len(flips))[0] == wanted)


def _color(letter: str) -> Any:
    return next(color for color in COLORS if color[0] == letter.lower())
