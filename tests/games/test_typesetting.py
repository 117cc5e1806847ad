"""Rules pages, set for a terminal."""

from warroom_games.rulebook import for_players, how_to_play
from warroom_games.typesetting import typeset

PAGE = """# A Game

Its *first* paragraph, over
two lines.

## How to play

- **Goal.** Win: `go 1 2` or `stop`.

## 1. The board

- **1.1** A long rule that goes on and on.
- **1.2** Another, with a [link](page.md).

## 2. Events

Nobody needs them.
"""


def test_a_page_is_wrapped_and_loses_its_marks() -> None:
    assert typeset(PAGE, 30) == [
        "A Game",
        "======",
        "",
        "Its first paragraph, over two",
        "lines.",
        "",
        "How to play",
        "-----------",
        "",
        "- Goal. Win: `go 1 2` or stop.",
        "",
        "1. The board",
        "------------",
        "",
        "1.1  A long rule that goes on",
        "     and on.",
        "1.2  Another, with a link.",
        "",
        "2. Events",
        "---------",
        "",
        "Nobody needs them.",
    ]


def test_a_table_shrinks_between_words() -> None:
    table = "| name | what it is |\n| --- | --- |\n| short | a few words |\n| other | a \\| b |"
    assert typeset(table, 40) == ["name   what it is", "-----  -----------", "short  a few words", "other  a | b"]
    assert typeset(table, 15) == [
        "name   what it",
        "       is",
        "-----  --------",
        "short  a few",
        "       words",
        "other  a | b",
    ]


def test_what_stands_between_fences_is_left_alone() -> None:
    code = "Text:\n\n```sh\nwarroom   play  # and more than fits\n```\n\nMore."
    assert typeset(code, 10) == ["Text:", "", "    warroom   play  # and more than fits", "", "More."]


def test_wide_tables_are_told_row_by_row_with_the_names_of_their_columns() -> None:
    table = "| race | unit | attack | cost |\n|---|---|---|---|\n| elf | Archer | 3 | - |\n| orc | Rusher | 1 | 9 |"
    assert typeset(table, 18) == ["- elf Archer:", "    attack 3", "- orc Rusher:", "    attack 1, cost", "    9"]


def test_the_parts_of_a_page() -> None:
    assert how_to_play(PAGE) == "- **Goal.** Win: `go 1 2` or `stop`.\n\n"
    assert how_to_play("# A Game\n") is None
    assert "Events" not in for_players(PAGE)
    assert for_players(PAGE) == PAGE.partition("## 2.")[0]
    assert for_players("# A Game\n") == "# A Game\n"
