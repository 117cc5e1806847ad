"""Wrapping lines between words."""

import pytest

from warroom_terminal.line_wrapping import cut, wrapped
from warroom_terminal.typed_commands import HELP


@pytest.mark.parametrize(
    ("line", "width", "lines"),
    [
        pytest.param("it fits", 7, ["it fits"], id="fits"),
        pytest.param("  a   b", 7, ["  a   b"], id="blanks stay in what fits"),
        pytest.param(
            "attack: Bob, from 9, to 2, won yes", 20, ["attack: Bob, from 9,", "    to 2, won yes"], id="hanging"
        ),
        pytest.param(
            "  1 Bob the second of his name", 20, ["  1 Bob the second", "      of his name"], id="below its own indent"
        ),
        pytest.param("x" * 30, 20, ["x" * 20, "    " + "x" * 10], id="a word longer than the window"),
        pytest.param("one two three", 5, ["one", "two", "three"], id="a tiny window"),
        pytest.param(" " * 30 + "end", 20, [" " * 10 + "end"], id="more indent than window"),
    ],
)
def test_lines_are_broken_between_words_with_a_hanging_indent(line: str, width: int, lines: list[str]) -> None:
    assert wrapped(line, width) == lines


def test_one_row_texts_are_cut() -> None:
    assert [cut("it fits", width) for width in (7, 6, 1)] == ["it fits", "it fi…", "…"]


def test_the_help_fits_into_eighty_columns() -> None:
    assert max(map(len, HELP)) <= 80
