"""The table as text: the graph with its edges, and the standings."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.state import Color, Table
from warroom_games.words import called
from warroom_protocol.results import ending_in_words

_WIDTH = 80
_NAME = 11
_CELL = 7
_STEP = _CELL + 2
"""The distance between columns."""
_GAP = 5
_HALF = _STEP // 2
"""The shift of every second row of a hexagon board to the right."""


def draw_table(table: Table, names: Sequence[str]) -> str:
    """Return the table as plain text; each node shows its id, the letter of its colour and its strength.

    The standings are beside the graph, so that the largest board leaves room below it for the actions.
    """
    return "\n".join([_headline(table), "", *_beside(_graph(table), _standings(table, names))])


def _beside(graph: list[str], standings: list[str]) -> list[str]:
    """Return both as one picture; lines without room on the right go below."""
    left = max(map(len, graph))
    gap = min(_GAP, _WIDTH - left - max(map(len, standings)))
    return [f"{one:<{left + gap}}{other}".rstrip() for one, other in zip_longest(graph, standings, fillvalue="")]


def _headline(table: Table) -> str:
    color = table.colors[table.seat]
    state = f"over ({ending_in_words(table.ended)})" if table.ended else f"{color} to move"
    return f"Graph Battle   round {table.round} of {_last_round(table.options)}   turn {table.turn}   {state}"


def _last_round(options: Options) -> int:
    """Return the last possible round of the match."""  # §6.2, §6.7
    return min(options.max_rounds, options.victory_rounds) if options.victory == "rounds" else options.max_rounds


def _graph(table: Table) -> list[str]:
    board = table.board
    ids = {position: node for node, position in enumerate(board.positions)}
    is_hex = table.options.board == "hex"
    lines: list[str] = []
    for row in range(board.rows):
        lines.append(" " * (_HALF * (row % 2) if is_hex else 0) + _node_row(table, row, ids))
        if row < board.rows - 1:
            lines.append(_slanted_edges(table, row, ids) if is_hex else _edge_row(table, row, ids))
    return [line.rstrip() for line in lines]


def _node_row(table: Table, row: int, ids: Mapping[tuple[int, int], int]) -> str:
    text = ""
    for column in range(table.board.columns):
        node = ids.get((row, column))
        text += " " * _CELL if node is None else _label(table, node)
        text += "--" if _joined(table, node, ids.get((row, column + 1))) else "  "
    return text


def _label(table: Table, node: int) -> str:
    held = table.nodes[node]
    return f"{node:>2} {_letter(held.color)}{held.strength:<3}"


def _edge_row(table: Table, row: int, ids: Mapping[tuple[int, int], int]) -> str:
    text = ""
    for column in range(table.board.columns):
        here, right = ids.get((row, column)), ids.get((row, column + 1))
        below, beyond = ids.get((row + 1, column)), ids.get((row + 1, column + 1))
        text += ("|" if _joined(table, here, below) else " ").center(_CELL)
        falls, rises = _joined(table, here, beyond), _joined(table, below, right)
        text += {(True, True): "><", (True, False): "\\ ", (False, True): " /"}.get((falls, rises), "  ")
    return text


def _slanted_edges(table: Table, row: int, ids: Mapping[tuple[int, int], int]) -> str:
    """Return the edges below a row of hexagons: two for each."""
    text = " " * _HALF
    for column in range(table.board.columns):
        here, right = ids.get((row, column)), ids.get((row, column + 1))
        below, beyond = ids.get((row + 1, column)), ids.get((row + 1, column + 1))
        is_near = _joined(table, here, below)
        if row % 2 == 0:
            text += _edge("\\", is_near) + _edge("/", _joined(table, right, below)) + " "
        else:
            text += _edge("/", is_near) + _edge("\\", _joined(table, here, beyond)) + " "
    return text


def _edge(sign: str, is_there: bool) -> str:
    return (sign if is_there else "").ljust(_HALF)


def _joined(table: Table, one: int | None, other: int | None) -> bool:
    return one is not None and other in table.board.neighbours[one]


def _standings(table: Table, names: Sequence[str]) -> list[str]:
    lines = ["nodes/strength".rjust(_NAME + 10)]
    for seat, color in enumerate(table.colors):
        held = [node.strength for node in table.nodes if node.color == color]
        mark = ">" if seat == table.seat and not table.ended else " "
        stand = "out" if seat in table.out else f"{len(held)}/{sum(held)}"
        lines.append(f"{mark}{_letter(color)} {called(names, seat, color, width=_NAME)}{stand:>7}")
    return lines


def _letter(color: Color) -> str:
    return color[0].upper()
