"""Choosing an action by its number or by typing it."""

import pytest
import sealed_bids

from warroom_terminal.choices import Choices, UnreadableError, action_kinds, plain, spelt
from warroom_terminal.orders import Order, parse_order

ATTACK = {"type": "attack", "source": 9, "target": 2}
BUILD = {"type": "build_tank", "tile": 9, "cards": [3, 7]}
END = {"type": "end_turn"}
CHOICES = Choices((ATTACK, BUILD, END), is_complete=True, turn=4)


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        pytest.param("1", ATTACK, id="number"),
        pytest.param("3", END, id="last number"),
        pytest.param("attack source=9 target=2", ATTACK, id="fields by name"),
        pytest.param("attack 9 2", ATTACK, id="fields in their order"),
        pytest.param("attack target=2 source=9", ATTACK, id="any order"),
        pytest.param("build_tank 9 3,7", BUILD, id="a list"),
        pytest.param("build_tank tile=9 cards=[3,7]", BUILD, id="a list in JSON"),
        pytest.param("end_turn", END, id="no fields"),
    ],
)
def test_an_action_is_read_as_it_was_typed(typed: str, action: object) -> None:
    assert CHOICES.read(typed) == action


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        pytest.param("0", "no choice 0", id="zero"),
        pytest.param("4", "from 1 to 3", id="beyond the last"),
        pytest.param("retreat", "'retreat' cannot be done now; there is attack, build_tank, end_turn", id="unknown"),
        pytest.param("9" * 5000, "no choice 9", id="thousands of digits"),
        pytest.param("attack 99999999999999999999999 2", "the number is too large", id="beyond 53 bits"),
        pytest.param("attack 9 [[-9007199254740992]]", "the number is too large", id="far below zero, in a list"),
        pytest.param("attack 1.5 2", "only whole numbers can be played", id="a fraction"),
        pytest.param('attack {"a":1e3} 2', "only whole numbers can be played", id="a fraction in a map"),
        pytest.param("attack " + "[" * 400 + "]" * 400, "brackets in brackets", id="depth"),
        pytest.param("end_turn 5", "write it as field=value", id="too many values"),
    ],
)
def test_what_cannot_be_read_says_why(typed: str, why: str) -> None:
    with pytest.raises(UnreadableError, match=why):
        CHOICES.read(typed)


def test_what_is_no_action_at_all_is_answered_with_those_there_are() -> None:
    selection = Choices((END,), is_complete=False, turn=1, kinds=("attack", "end_turn"))
    assert selection.read("attack source=1") == {"type": "attack", "source": 1}
    with pytest.raises(UnreadableError, match="there is no action 'garbage'; there is attack, end_turn"):
        selection.read("garbage")


def test_the_kinds_of_action_are_those_of_the_game() -> None:
    assert action_kinds(sealed_bids.GAME) == ("bid", "peek")
    assert action_kinds(None) == ()


def test_what_is_not_listed_can_be_typed_where_the_list_is_a_selection() -> None:
    selection = Choices((END,), is_complete=False, turn=1)
    assert selection.read("march source=1 troops=3") == {"type": "march", "source": 1, "troops": 3}


@pytest.mark.parametrize("action", [ATTACK, BUILD, END, {"type": "name", "text": "x", "on": True, "none": None}])
def test_every_choice_can_be_typed_the_way_it_is_shown(action: dict[str, object]) -> None:
    assert Choices((action,), is_complete=True, turn=1).read(spelt(action)) == action


def test_pages_are_columns_and_the_numbers_stay_those_of_the_whole_list() -> None:
    actions = [{"type": "move", "source": number, "target": number + 1} for number in range(100)]
    choices = Choices(actions, is_complete=True, turn=1)
    first, after = choices.page(width=70)
    assert (len(first), after) == (12, 24)
    assert first[0].startswith("  1 move source=0 target=1")
    assert " 13 move source=12 target=13" in first[0]
    second, _ = choices.page(first=24, width=70)
    assert second[0].lstrip().startswith("25 move")
    found, rest = choices.page("MOVE source=99")
    assert (found, rest) == (["100 move source=99 target=100"], None)
    assert (choices.count("source=9"), choices.count()) == (11, 100)
    assert choices.page("tank") == ([], None)


def test_values_are_json_or_text() -> None:
    assert [plain(text) for text in ("3", "true", "null", "north", "a,b", '"1"')] == [
        3,
        True,
        None,
        "north",
        ["a", "b"],
        "1",
    ]


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("  ", None),
        ("/Say hello  there ", Order("say", "hello  there")),
        ("'hello", Order("say", "hello")),
        ("attack 9 2", Order("", "attack 9 2")),
        ("/quit", Order("quit", "")),
    ],
)
def test_lines_are_orders_or_actions(line: str, order: Order | None) -> None:
    assert parse_order(line) == order
