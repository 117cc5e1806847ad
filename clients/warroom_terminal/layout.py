"""What a player sees when it is the player's turn: the board, what led to it and what can be done, in one window."""

from collections.abc import Sequence
from typing import Final

from warroom_terminal.choices import PAGE_ROWS, Choices
from warroom_terminal.folding import cut

FRAME_ROWS: Final = 2
"""What is asked, and the line to type in."""
FEWEST_ROWS: Final = 3
"""So many rows of choices are always shown."""
MANY_ROWS: Final = 1_000
"""Whoever asks for the whole board can scroll back to its beginning."""
GAPS: Final = 2
"""The empty lines above and below a board, where there is room for them."""
RECALL: Final = "since your last move:"


def lay_out(
    picture: Sequence[str], news: Sequence[str], choices: Choices, *, question: str, width: int, height: int
) -> tuple[list[str], int | None]:
    """Return the lines, and where the next page of choices begins (None: there is none).

    Everything fits into a window of *width* and *height*, with a line left to type in. The board comes first, then some
    choices; the *news*, which were told above, are told again only where that costs neither of them a line.
    """
    space = height - FRAME_ROWS
    listed, _ = choices.page(width=width)
    fewest = min(FEWEST_ROWS, len(listed))
    board = fitted(picture, space - fewest)
    rows = max(fewest, min(PAGE_ROWS, len(listed), space - len(board)))
    left = space - len(board) - rows
    recalled: list[str] = []
    if news and left < len(news):
        recalled = [RECALL, *(f"  {line}" for line in news[-(left - 1) :])] if left > 1 else []
    elif board and left >= GAPS:
        board = ["", *board, ""]
    shown, rest = choices.page(width=width, rows=rows)
    if rest is not None:
        question += f" {rest} of {choices.count()} choices; /more goes on, /legal TEXT finds"
    return [cut(line, width) for line in (*board, *recalled, question, *shown)], rest


def fitted(picture: Sequence[str], rows: int) -> list[str]:
    """Return a picture in at most so many rows: first its empty lines go, then what stands last."""
    lines = list(picture)
    while len(lines) > rows and "" in lines:
        lines.remove("")
    if len(lines) <= rows:
        return lines
    return [*lines[: max(0, rows - 1)], f"… {len(lines) - rows + 1} more rows: /board shows them"]
