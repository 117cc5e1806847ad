"""The input line, while output is printed above it."""

import pytest

from warroom_terminal.line_editor import LineEditor

UP, DOWN, LEFT = b"\x1b[A", b"\x1b[B", b"\x1b[D"


@pytest.mark.parametrize(
    ("keys", "lines", "text"),
    [
        pytest.param(b"12\n", ["12"], "", id="enter"),
        pytest.param(b"a\rb\r", ["a", "b"], "", id="two lines at once"),
        pytest.param(b"13\x7f2", [], "12", id="backspace"),
        pytest.param(b"\x7f", [], "", id="backspace on nothing"),
        pytest.param(b"attack 9 \x17", [], "attack", id="a word back"),
        pytest.param(b"attack\x15x", [], "x", id="all away"),
        pytest.param(b"a" + LEFT + b"b", [], "ab", id="arrows that do nothing"),
        pytest.param(b"a\x1b\x1bOPb\x07", [], "aOPb", id="odd sequences"),
        pytest.param(b"x\x04", [], "x", id="end of input in a line"),
        pytest.param(b"\x04", [None], "", id="end of input"),
    ],
)
def test_keys_make_lines(keys: bytes, lines: list[str | None], text: str) -> None:
    editor = LineEditor()
    assert (editor.feed(keys), editor.text) == (lines, text)


def test_letters_may_come_in_pieces() -> None:
    editor = LineEditor()
    for byte in "über\n".encode():
        lines = editor.feed(bytes([byte]))
    assert lines == ["über"]


def test_up_and_down_go_through_what_was_typed_before() -> None:
    editor = LineEditor()
    editor.feed(b"one\ntwo\n\n")
    seen = []
    for keys in (UP, UP, UP, DOWN, DOWN, DOWN):
        editor.feed(keys)
        seen.append(editor.text)
    assert seen == ["two", "one", "one", "two", "", ""]
