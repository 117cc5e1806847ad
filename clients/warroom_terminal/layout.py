"""Lays out the player's turn in one window: the board, recent events and choices."""

from collections.abc import Sequence
from typing import Final

from warroom_terminal.choices import PAGE_ROWS, Choices
from warroom_terminal.line_wrapping import cut

FRAME_ROWS: Final = 2
"""Rows for the question and the input line."""
FEWEST_ROWS: Final = 3
"""Rows reserved for choices."""
MANY_ROWS: Final = 1_000
"""Row limit for `/board`, where the player can scroll back."""
GAPS: Final = 2
"""Empty rows above and below a board, if there is room."""
RECALL: Final = "since your last move:"


def lay_out(
    picture: Sequence[str], news: Sequence[str], choices: Choices, *, question: str, width: int, height: int
) -> tuple[list[str], int | None]:
    """Return the lines and the start of the next page of choices (None: last page).

    Everything fits into *width* by *height* with one row left for input. The board comes first, then some choices. The
    *news* were already printed above, so they are repeated only if neither loses a row.
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
        question += f" {rest} of {choices.count()} choices; /more or /legal TEXT shows others"
    return [cut(line, width) for line in (*board, *recalled, question, *shown)], rest


def fitted(picture: Sequence[str], rows: int) -> list[str]:
    """Fit a picture into *rows*: drop empty lines first, then cut the end."""
    lines = list(picture)
    while len(lines) > rows and "" in lines:
        lines.remove("")
    if len(lines) <= rows:
        return lines
    return [*lines[: max(0, rows - 1)], f"… {len(lines) - rows + 1} more rows: /board shows everything"]
