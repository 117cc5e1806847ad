"""Choosing an action by its number or by typing it."""

import re

import pytest

from warroom_games.api import AnyGame
from warroom_games.playthrough import finish
from warroom_games.registry import load_games
from warroom_games.rng import KEY_BYTES, Rng
from warroom_protocol.canonical import plain
from warroom_protocol.messages import View
from warroom_terminal.action_parser import ParseError, split_words, value_of
from warroom_terminal.choices import Choices, action_forms, briefly, spelt
from warroom_terminal.typed_commands import TypedCommand, parse_line

GAMES = load_games()
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
        pytest.param("4", "choose 1 to 3", id="beyond the last"),
        pytest.param("retreat", "'retreat' is not possible now; you can: attack, build_tank, end_turn", id="unknown"),
        pytest.param("9" * 5000, "no choice 9", id="thousands of digits"),
        pytest.param("attack 99999999999999999999999 2", "the number is too large", id="beyond 53 bits"),
        pytest.param("attack 9 [[-9007199254740992]]", "the number is too large", id="far below zero, in a list"),
        pytest.param("attack 1.5 2", "only whole numbers are allowed", id="a fraction"),
        pytest.param('attack {"a":1e3} 2', "only whole numbers are allowed", id="a fraction in a map"),
        pytest.param("attack " + "[" * 400 + "]" * 400, "nested too deep", id="depth"),
        pytest.param(
            "end_turn 5",
            "'5' is one value too many; end_turn takes nothing more; for example: end_turn",
            id="too many values",
        ),
    ],
)
def test_what_cannot_be_read_says_why(typed: str, why: str) -> None:
    with pytest.raises(ParseError, match=why):
        CHOICES.read(typed)


def test_unknown_input_is_answered_with_the_possible_actions() -> None:
    selection = Choices((), is_complete=False, turn=1, forms=action_forms(GAMES.get("graph_battle")))
    assert selection.read("attack source=1 target=2") == {"type": "attack", "source": 1, "target": 2}
    with pytest.raises(ParseError, match="unknown action 'garbage'; the actions are: attack, end_turn"):
        selection.read("garbage")


def test_unlisted_actions_can_be_typed_if_the_list_is_a_selection() -> None:
    selection = Choices((), is_complete=False, turn=1, forms=action_forms(GAMES.get("tile_blitz")))
    march = {"type": "march", "source": 1, "target": 9, "troops": 3, "tanks": 0}
    assert selection.read("march source=1 9 3 0") == march


@pytest.mark.parametrize(
    ("game", "typed", "action"),
    [
        ("strata", "place 0 2 4", {"type": "place", "vertex": [0, 2, 4]}),
        ("strata", "place 0,2,4", {"type": "place", "vertex": [0, 2, 4]}),
        ("strata", "place (0;2,4)", {"type": "place", "vertex": [0, 2, 4]}),
        ("strata", "move (0; 2, 4) 1 2 3", {"type": "move", "source": [0, 2, 4], "target": [1, 2, 3]}),
        ("tile_blitz", "build_tank 9 3 7", {"type": "build_tank", "tile": 9, "cards": [3, 7]}),
        ("thardferr", 'set_strategy "Archer Protection"', {"type": "set_strategy", "strategy": "Archer Protection"}),
        ("thardferr", "set_strategy Archer Protection", {"type": "set_strategy", "strategy": "Archer Protection"}),
        (
            "thardferr",
            "set_strategy strategy=Archer Protection",
            {"type": "set_strategy", "strategy": "Archer Protection"},
        ),
        ("thardferr", "set_strategy null", {"type": "set_strategy", "strategy": None}),
        ("thardferr", "train Elf Lord 5", {"type": "train", "unit": "Elf Lord", "count": 5}),
        ("thardferr", "attack 1 Orc:10,Elf:5", {"type": "attack", "target": 1, "army": {"Orc": 10, "Elf": 5}}),
        ("thardferr", 'attack 1 {"Orc": 10}', {"type": "attack", "target": 1, "army": {"Orc": 10}}),
    ],
)
def test_the_schema_of_actions_helps_to_parse_them(game: str, typed: str, action: object) -> None:
    choices = Choices((), is_complete=False, turn=1, forms=action_forms(GAMES.get(game)))
    assert choices.read(typed) == action


@pytest.mark.parametrize(
    ("game", "typed", "why"),
    [
        ("tile_blitz", "attack 25", "target is missing; attack takes source and target; for example: attack 25 18"),
        (
            "tile_blitz",
            "attack a b",
            "'a' is not a valid source; attack takes source and target; for example: attack 9 2",
        ),
        (
            "tile_blitz",
            "attack 25 18 3",
            "'3' is one value too many; attack takes source and target; for example: attack 25 18",
        ),
        (
            "tile_blitz",
            "attack from=25",
            "no field 'from'; attack takes source and target; for example: attack 9 2",
        ),
        ("strata", "place 0 0", "'0,0' is not a valid vertex; place takes vertex"),
        (
            "timberwall",
            "move 1 2 up",
            "'up' is not a valid direction (e, n, ne, nw, s, se, sw, w); move takes x, y and direction",
        ),
        ("thardferr", "build", "building is missing; build takes building and [count]"),
        (
            "thardferr",
            "attack 1 Orc",
            "'Orc': write name:number pairs, separated by commas; attack takes target, army and",
        ),
    ],
)
def test_what_does_not_fit_is_said_with_an_example(game: str, typed: str, why: str) -> None:
    listed = [ATTACK, {"type": "attack", "source": 25, "target": 18}] if game == "tile_blitz" else []
    choices = Choices(listed, is_complete=False, turn=1, forms=action_forms(GAMES.get(game)))
    with pytest.raises(ParseError, match=re.escape(why)):
        choices.read(typed)


@pytest.mark.parametrize(
    "action",
    [
        ATTACK,
        BUILD,
        END,
        {"type": "name", "text": "x", "on": True, "none": None},
        {"type": "name", "text": "two words", "more": 'a "quote"', "sum": "1=1", "number": "7", "empty": ""},
        {"type": "name", "text": "a, b", "list": ["one", "two words"], "lone": [4], "map": {"a": [1], "b": {}}},
    ],
)
def test_every_choice_can_be_typed_the_way_it_is_shown(action: dict[str, object]) -> None:
    assert Choices((action,), is_complete=True, turn=1).read(spelt(action)) == action


@pytest.mark.parametrize("game", GAMES.newest(), ids=lambda game: game.info.id)
def test_every_action_of_every_game_can_be_typed_in_full_and_in_brief(game: AnyGame) -> None:
    forms = action_forms(game)
    state = game.setup(game.info.usual_seats, game.options_type(), Rng(bytes(KEY_BYTES)))
    for move in finish(game, state, Rng(bytes(KEY_BYTES)))[:60]:
        actions = [plain(action) for seat in game.to_act(state) for action in game.legal_actions(state, seat)]
        stranger = Choices(actions, is_complete=True, turn=1)
        choices = Choices(actions, is_complete=True, turn=1, forms=forms)
        for action in actions:
            assert isinstance(action, dict)
            assert stranger.read(stranger.spelt(action)) == choices.read(choices.spelt(action)) == action
            assert choices.read(briefly(action, forms[action["type"]])) == action
        state = move.step.state


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("attack  9 2", ["attack", "9", "2"]),
        ('name "two words" (0; 1, 2) [1, 2]', ["name", '"two words"', "(0; 1, 2)", "[1, 2]"]),
        ('a="b c" "(" d', ['a="b c"', '"("', "d"]),
        ("open (0; 1", ["open", "(0; 1"]),
    ],
)
def test_words_end_where_quotes_and_brackets_do(line: str, words: list[str]) -> None:
    assert split_words(line) == words


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
    assert [value_of(text) for text in ("3", "true", "null", "north", "a,b", '"1"')] == [
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
        ("/Say hello  there ", TypedCommand("say", "hello  there")),
        ("'hello", TypedCommand("say", "hello")),
        ("attack 9 2", TypedCommand("", "attack 9 2")),
        ("/quit", TypedCommand("quit", "")),
    ],
)
def test_lines_are_orders_or_actions(line: str, order: TypedCommand | None) -> None:
    assert parse_line(line) == order


def test_unlisted_actions_are_parsed_if_the_rules_can_explain_the_refusal() -> None:
    """Strata refuses the end of a turn by naming the duty that is open."""
    forms = action_forms(GAMES.get("strata"))
    choices = Choices(({"type": "place", "vertex": [0, 0, 0]},), is_complete=True, turn=1, forms=forms)
    assert choices.read("end_turn") == {"type": "end_turn"}
    with pytest.raises(ParseError, match="unknown action 'retreat'"):
        choices.read("retreat")


def test_a_list_with_fewer_notes_loses_no_choice() -> None:
    choices = Choices((ATTACK, BUILD, END), is_complete=True, turn=4, notes=("69 %",))
    assert len(choices.page(rows=3, width=60)[0]) == 3


def test_a_note_stands_beside_a_choice_and_may_be_typed_with_it() -> None:
    forms = action_forms(GAMES.get("thardferr"))
    build: View = {"type": "build", "building": "house", "count": 4}
    end: View = {"type": "end_turn"}
    choices = Choices(
        (build, end),
        is_complete=False,
        turn=1,
        forms=forms,
        notes=("4000 gold", ""),
    )
    assert choices.page(rows=2, width=40)[0] == ["  1 build house 4 · 4000 gold", "  2 end_turn"]
    assert choices.read("build house 4 · 4000 gold") == build
    assert choices.count("gold") == 1
