"""What a spectator sees in a terminal."""

import io

import pytest
import sealed_bids

from warroom_bots.registry import find_bot
from warroom_bots.simulation import simulate
from warroom_client import Ended
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.rng import Rng
from warroom_games.tile_blitz.rules import GAME as TILE_BLITZ
from warroom_protocol.canonical import plain
from warroom_protocol.messages import About, SeatState
from warroom_terminal.painter import CLEAR_BELOW, ENTER, HOME, LEAVE, BlockPainter, ScreenPainter, painter_for
from warroom_terminal.picture import draw, find_game, seats_to_act, tree
from warroom_terminal.scene import Scene, compose

ADA = SeatState(0, "p1", "Ada", True, False)
BOB = SeatState(1, "p2", "Bob", False, False)
OPENING = GRAPH_BATTLE.setup(2, GRAPH_BATTLE.options_type(), Rng(bytes(16)))


def scene(**changes: object) -> str:
    shown: dict[str, object] = {
        "code": "0abc123",
        "game": "graph_battle",
        "phase": "playing",
        "picture": ("R3--G1",),
        "seats": (ADA, BOB),
        "labels": ("red", "green"),
        "to_act": frozenset({0}),
        "watching": 2,
        "turn": 12,
        "remaining_ms": 4_260,
        "paused": None,
        "lost": None,
        "news": (),
        "ended": None,
        "url": "ws://127.0.0.1:8000/ws",
    }
    return "\n".join(compose(Scene(**{**shown, **changes})))  # type: ignore[arg-type]


def test_a_running_match_shows_board_names_turn_and_countdown() -> None:
    text = scene()
    assert "room 0abc123   graph_battle   playing   2 watching" in text
    assert "R3--G1" in text
    assert "> 0 red     Ada" in text
    assert "  1 green   Bob                      no line" in text
    assert "turn 12   Ada to move   4.3 s left" in text


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        pytest.param({"paused": "store"}, "turn 12   paused: store", id="paused"),
        pytest.param({"lost": "the line is gone"}, "the line is gone; trying to come back", id="no line"),
        pytest.param({"to_act": frozenset(), "remaining_ms": None}, "turn 12", id="nobody known to act"),
        pytest.param(
            {"phase": "lobby", "seats": (ADA, SeatState(1, None, "", False, False))},
            "waiting for players: 1 of 2 seats are taken",
            id="lobby",
        ),
        pytest.param({"seats": (ADA, SeatState(1, "p2", "Bob", True, True))}, "gave up", id="out"),
        pytest.param({"news": tuple(map(str, range(20)))}, "  19", id="news"),
    ],
)
def test_every_condition_is_told(changes: dict[str, object], line: str) -> None:
    assert line in scene(**changes)


def test_the_end_shows_the_ranking_and_how_to_check_it() -> None:
    text = scene(ended=Ended((2, 1), "victory", "00", "c0de"), phase="ended")
    assert "the match is over: victory\n  1. Bob\n  2. Ada" in text
    assert "warroom verify 0abc123 --url ws://127.0.0.1:8000/ws --chain c0de" in text
    assert ">" not in text


def test_an_installed_game_draws_itself_and_tells_whose_turn_it_is() -> None:
    game = find_game(About("graph_battle", GRAPH_BATTLE.info.rules_version, 2, {}, {}, ""))
    public = plain(GRAPH_BATTLE.public(OPENING))
    assert game is GRAPH_BATTLE
    assert "Graph Battle" in draw(game, public, None)[0]
    assert seats_to_act(game, public, 2) == frozenset({0})


def test_a_game_with_secrets_does_not_tell_who_still_thinks() -> None:
    game = sealed_bids.GAME
    opening = game.setup(2, game.options_type(), Rng(bytes(16)))
    assert seats_to_act(game, plain(game.public(opening)), 2) == frozenset()
    match = simulate(game, [find_bot("sealed_bids")] * 2, seed="1").match
    assert seats_to_act(game, plain(game.public(match.state)), 2) == frozenset()


def test_a_game_with_secrets_tells_whose_turn_it_is_where_that_is_public() -> None:
    state = TILE_BLITZ.setup(3, TILE_BLITZ.options_type(), Rng(bytes(16)))
    assert TILE_BLITZ.private(state, 0) is not None
    assert seats_to_act(TILE_BLITZ, plain(TILE_BLITZ.public(state)), 3) == TILE_BLITZ.to_act(state)


def test_a_game_that_is_not_installed_is_shown_as_a_tree() -> None:
    game = find_game(About("nowhere", 1, 2, {}, {}, ""))
    lines = draw(game, {"row": [1, None], "long": [{"text": "x" * 60}, {"text": "y" * 60}]}, None)
    assert game is None
    assert lines == ["row: [1, -]", "long:", "  0: {text: " + "x" * 60 + "}", "  1: {text: " + "y" * 60 + "}"]
    assert seats_to_act(game, {"row": []}, 2) == frozenset()


def test_before_the_start_there_is_nothing_to_draw() -> None:
    assert draw(GRAPH_BATTLE, None, None) == []
    assert find_game(None) is None
    assert list(tree(5)) == ["5"]


def test_a_terminal_is_redrawn_in_place_and_left_as_it_was() -> None:
    out = io.StringIO()
    with ScreenPainter(out) as painter:
        painter.paint(["first", "\x1b[31mname"])
        painter.paint(["second"])
    text = out.getvalue()
    assert text.startswith(ENTER + HOME + "first")
    assert "?[31mname" in text
    assert text.endswith(f"{CLEAR_BELOW}{LEAVE}second\n")


def test_a_pipe_gets_one_block_per_scene() -> None:
    out = io.StringIO()
    painter = painter_for(out)
    with painter:
        painter.paint(["a", "b"])
        painter.paint(["c"])
    assert isinstance(painter, BlockPainter)
    assert not painter.ticks
    assert out.getvalue() == "a\nb\n\nc\n\n"
