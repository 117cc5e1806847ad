"""The state as text: the five layers side by side, centred as they are stacked, and the standings.

Labels show a vertex as it is typed: its layer and x above it, its y beside it. On a terminal of 80 x 24 the picture
leaves six lines for the actions.
"""

from collections.abc import Sequence
from functools import reduce

from warroom_games.api import Seat
from warroom_games.strata.board import HOMES, INDEX, SIZES, Vertex
from warroom_games.strata.force import exerted_force
from warroom_games.strata.listing import open_duties
from warroom_games.strata.state import Stack, State, stacks_of
from warroom_games.words import called, plural
from warroom_protocol.results import ending_in_words

_LETTERS = "AB"
_HOMES = frozenset(home for homes in HOMES for home in homes)
_ROWS = max(SIZES)
_NAME = 12
_MARGIN = 2
"""The width before each row. The y is at its right end, away from the widest stack of the layer before it."""
_CELL = 3
"""The width of a vertex: 23 of them in a row, with the margins of the layers, fit into 80 columns."""
_MOST = 99
"""The greatest number that fits into a vertex."""
_LEGEND = (
    ("A3 over *2: 3 pieces and", "+ an empty home, ++ over 99"),
    ("energy 2; a3: not occupied", "a vertex is typed layer,x,y"),
)
"""The legend in the corners below the outer layers."""


def draw_state(state: State, names: Sequence[str]) -> str:
    """Return the state as plain text. Vertices on one line of the board are on one line of the text."""
    return "\n".join([_headline(state), *_board(state), *_standings(state, names)])


def _headline(state: State) -> str:
    duties = ", ".join(open_duties(state)) or "nothing"
    mover = (
        f"over ({ending_in_words(state.ended)})" if state.ended else f"{_LETTERS[state.seat]} to move, to do: {duties}"
    )
    return f"Strata   turn {state.turn} of {state.options.max_turns}   {mover}"


def _board(state: State) -> list[str]:
    labels = [_label(vertex, stack) for vertex, stack in enumerate(state.vertices)]
    layers = [_layer(layer, labels) for layer in range(len(SIZES))]
    lines = [reduce(_beside, parts) for parts in zip(*layers, strict=True)]
    left = len(layers[0][0]) + len(layers[1][0])
    right = left + len(layers[2][0]) + 1
    for line, (one, other) in enumerate(_LEGEND, start=len(lines) - len(_LEGEND)):
        lines[line] = f"{one:<{left}}{lines[line][left:right]}{other}"
    return [line.rstrip() for line in lines]


def _layer(layer: int, labels: list[tuple[str, str]]) -> list[str]:
    """Return the lines of a layer: its number and each x, and two lines for each y."""
    size = SIZES[layer]
    lines = [f"{layer};" + "".join(f"x{x}".ljust(_CELL) for x in range(size))]
    for y in range(-((_ROWS - size) // 2), (_ROWS + size) // 2):
        is_there = 0 <= y < size
        row = [labels[INDEX[Vertex(layer, x, y)]] for x in range(size)] if is_there else []
        for part, margin in enumerate((f"y{y}" if is_there else "", "")):
            lines.append(margin.rjust(_MARGIN) + "".join(label[part].ljust(_CELL) for label in row))
    return [line.ljust(_MARGIN + size * _CELL) for line in lines]


def _beside(left: str, right: str) -> str:
    """Join a line of one layer to that of the next. A y that would touch a large stack loses its letter."""
    touches = not left.endswith(" ") and right.startswith("y")
    return left + (" " + right[1:] if touches else right)


def _label(vertex: int, stack: Stack | None) -> tuple[str, str]:
    """Return the two lines of a vertex."""
    if stack is None:
        return "+" if vertex in _HOMES else ".", ""
    letter = _LETTERS[stack.seat]
    letter = letter if exerted_force(stack, vertex) else letter.lower()
    return f"{letter}{_short(stack.pieces)}", f"*{_short(stack.energy)}"


def _short(number: int) -> str:
    return str(number) if number <= _MOST else "++"


def _standings(state: State, names: Sequence[str]) -> list[str]:
    return [_standing(state, seat, names) for seat in range(len(_LETTERS))]


def _standing(state: State, seat: Seat, names: Sequence[str]) -> str:
    held, pool = stacks_of(state.vertices, seat), state.pools[seat]
    mark = ">" if seat == state.seat and not state.ended else " "
    pieces = sum(stack.pieces for _, stack in held)
    occupied = sum(exerted_force(stack, vertex) > 0 for vertex, stack in held)
    name = called(names, seat, "", width=_NAME) if names else ""
    supply = "out" if seat in state.out else f"pool {plural(pool.pieces, 'piece')} *{pool.energy}"
    return (
        f"{mark} {_LETTERS[seat]} {name}{plural(pieces, 'piece'):>10} {occupied:>3} occupied"
        f"  {supply}  dominion {state.dominion[seat]}"
    )
