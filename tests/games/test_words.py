"""Actions and events as people read them."""

import pytest

from warroom_games.words import in_words, printable


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        pytest.param({"type": "end_turn"}, "end turn", id="a name alone"),
        pytest.param({"type": "attack", "source": 3, "target": 7}, "attack: source 3, target 7", id="fields"),
        pytest.param({"type": "out", "seat": 1, "by": None}, "out: Bob, by -", id="seats by name"),
        pytest.param({"type": "turn", "seat": 5}, "turn: seat 5", id="a seat without a name"),
        pytest.param(
            {"type": "gain", "at": [{"node": 2}, {"node": 4}]}, "gain: at (node 2) (node 4)", id="lists of maps"
        ),
        pytest.param({"type": "end", "ranks": [], "is_tie": False}, "end: ranks -, is tie no", id="nothing and no"),
        pytest.param({"type": "end", "is_tie": True}, "end: is tie yes", id="yes"),
        pytest.param({"source_strength": 2}, "source strength 2", id="no type"),
        pytest.param("hello", "hello", id="no map"),
    ],
)
def test_a_thing_is_told_in_words(thing: object, words: str) -> None:
    assert in_words(thing, ("Ada", "Bob")) == words


def test_a_name_cannot_move_the_cursor() -> None:
    assert printable("\x1b[2JAda\n\u202e") == "?[2JAda??"
