"""The state as text: the five layers side by side, centred as they are stacked, and how the players stand."""

from warroom_games.api import Seat
from warroom_games.strata.board import HOMES, INDEX, SIZES, Vertex
from warroom_games.strata.force import exerted_force
from warroom_games.strata.state import Stack, State, stacks_of

_LETTERS = "AB"
_HOMES = frozenset(home for homes in HOMES for home in homes)
_ROWS = max(SIZES)
_CELL = 3
"""How wide a vertex is: 23 of them in a row, and the gaps between the layers, fit a terminal of 80 columns."""
_MOST = 99
"""The greatest number that fits a vertex."""
_LEGEND = "A3 over *2: 3 pieces, energy 2; a: not occupied; ++: over 99; +: an empty home"


def draw_state(state: State) -> str:
    """Return the state as plain text; what stands on one line across the layers is on one line of the board."""
    return "\n".join([_headline(state), "", *_board(state), "", *_standings(state), "", _LEGEND])


def _headline(state: State) -> str:
    deeds = {"place": state.placed, "infuse": state.infused, "move": state.moved}
    done = ", ".join(name for name, is_done in deeds.items() if is_done) or "nothing"
    mover = f"over ({state.ended})" if state.ended else f"{_LETTERS[state.seat]} to move, done: {done}"
    return f"Strata   turn {state.turn} of {state.options.max_turns}   {mover}"


def _board(state: State) -> list[str]:
    labels = [_label(vertex, stack) for vertex, stack in enumerate(state.vertices)]
    layers = [_layer(layer, labels) for layer in range(len(SIZES))]
    return ["  ".join(parts).rstrip() for parts in zip(*layers, strict=True)]


def _layer(layer: int, labels: list[tuple[str, str]]) -> list[str]:
    """Return the lines of a layer: its name, and two lines for each y."""
    size = SIZES[layer]
    lines = [f"layer {layer}"]
    for y in range(-((_ROWS - size) // 2), (_ROWS + size) // 2):
        row = [labels[INDEX[Vertex(layer, x, y)]] for x in range(size)] if 0 <= y < size else []
        lines += ["".join(label[part].ljust(_CELL) for label in row) for part in (0, 1)]
    return [line.ljust(size * _CELL) for line in lines]


def _label(vertex: int, stack: Stack | None) -> tuple[str, str]:
    """Return the two lines of a vertex."""
    if stack is None:
        return "+" if vertex in _HOMES else ".", ""
    letter = _LETTERS[stack.seat]
    letter = letter if exerted_force(stack, vertex) else letter.lower()
    return f"{letter}{_short(stack.pieces)}", f"*{_short(stack.energy)}"


def _short(number: int) -> str:
    return str(number) if number <= _MOST else "++"


def _standings(state: State) -> list[str]:
    return [_standing(state, seat) for seat in range(len(_LETTERS))]


def _standing(state: State, seat: Seat) -> str:
    held, pool = stacks_of(state.vertices, seat), state.pools[seat]
    mark = ">" if seat == state.seat and not state.ended else " "
    pieces = sum(stack.pieces for _, stack in held)
    occupied = sum(exerted_force(stack, vertex) > 0 for vertex, stack in held)
    gone = "  out" if seat in state.out else ""
    return (
        f"{mark} {_LETTERS[seat]} {pieces:>3} pieces {occupied:>3} occupied"
        f"  pool {pool.pieces} pieces, {pool.energy} energy  dominion {state.dominion[seat]}{gone}"
    )
