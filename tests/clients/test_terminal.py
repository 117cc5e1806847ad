"""The spectator's screen in a terminal."""

import io
from typing import Any

import pytest
import sealed_bids
from msgspec.structs import replace

from warroom_bots.registry import find_bot
from warroom_bots.simulation import simulate
from warroom_client import Ended
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.pictures import draw_besides
from warroom_games.rng import Rng
from warroom_games.tile_blitz.rules import GAME as TILE_BLITZ
from warroom_games.timberwall.rules import GAME as TIMBERWALL
from warroom_protocol.canonical import plain
from warroom_protocol.messages import About, SeatState
from warroom_terminal.painter import (
    CLEAR_BELOW,
    CLEAR_LINE,
    ENTER,
    FALLBACK_SIZE,
    HOME,
    LEAVE,
    BlockPainter,
    ScreenPainter,
    painter_for,
)
from warroom_terminal.spectator_screen import Scene, compose
from warroom_terminal.view_rendering import (
    draw,
    draw_all,
    find_game,
    hides,
    labels,
    public_part,
    seats_to_act,
    secret_parts,
    tree,
)

ADA = SeatState(0, "p1", "Ada", True, False)
BOB = SeatState(1, "p2", "Bob", False, False)
OPENING = GRAPH_BATTLE.setup(2, GRAPH_BATTLE.options_type(), Rng(bytes(16)))


SCENE = Scene(
    code="0abc123",
    game="graph_battle",
    phase="playing",
    picture=("R3--G1",),
    hides=False,
    seats=(ADA, BOB),
    labels=("red", "green"),
    to_act=frozenset({0}),
    watching=2,
    turn=12,
    remaining_ms=4_260,
    paused=None,
    lost=None,
    news=(),
    ended=None,
)


def scene(rows: int | None = None, **changes: Any) -> str:
    return "\n".join(compose(replace(SCENE, **changes), rows))


def test_a_running_match_tells_how_it_stands_above_the_board_and_the_names() -> None:
    assert scene().splitlines() == [
        "room 0abc123   graph_battle   turn 12   4.3 s left   Ada to move   2 watching",
        "",
        "R3--G1",
        "",
        "> 0 red     Ada",
        "  1 green   Bob                      disconnected",
    ]


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        pytest.param({"paused": "store"}, "turn 12   paused: store", id="paused"),
        pytest.param({"lost": "the line is gone"}, "reconnecting: the line is gone", id="disconnected"),
        pytest.param({"to_act": frozenset(), "remaining_ms": None}, "turn 12", id="nobody known to act"),
        pytest.param(
            {"phase": "lobby", "seats": (ADA, SeatState(1, None, "", False, False))},
            "waiting for players: 1 of 2 seats taken",
            id="lobby",
        ),
        pytest.param({"phase": "ended"}, "over", id="over, and the result is still to come"),
        pytest.param(
            {"phase": "ended", "ended": Ended((2, 1), "victory", "00", "c0de")},
            "match over: victory   1. Bob   2. Ada",
            id="result",
        ),
        pytest.param(
            {"phase": "ended", "ended": Ended((2, 1), "victory", "00", "c0de", left=(1,))},
            "match over: victory   2. Ada   1. Bob (left)",
            id="result of a match that somebody left",
        ),
    ],
)
def test_the_first_line_tells_every_condition(changes: dict[str, Any], status: str) -> None:
    assert scene(**changes).splitlines()[0] == f"room 0abc123   graph_battle   {status}   2 watching"


def test_resignations_and_the_latest_events_are_shown() -> None:
    text = scene(seats=(ADA, SeatState(1, "p2", "Bob", True, True)), news=tuple(map(str, range(20))))
    assert "Bob                      resigned" in text
    assert text.splitlines()[-8:] == [f"  {number}" for number in range(12, 20)]


def test_the_end_ranks_the_players() -> None:
    text = scene(ended=Ended((2, 1), "victory", "00", "c0de"), phase="ended")
    assert text.endswith("  1. green   Bob\n  2. red     Ada")
    assert ">" not in text


TALL: dict[str, Any] = {"picture": ("title", "", *"abcdef", "", "legend"), "news": tuple("123")}


@pytest.mark.parametrize(
    ("rows", "shown", "cut"),
    [
        pytest.param(
            16, ["> 0 red     Ada", "  1 green   Bob                      disconnected", "", "  2", "  3"], 0, id="log"
        ),
        pytest.param(12, ["> 0 red     Ada", "  1 green   Bob                      disconnected"], 0, id="whole log"),
        pytest.param(11, ["legend"], 5, id="players"),
        pytest.param(8, ["d", "e"], 7, id="picture"),
    ],
)
def test_a_small_window_loses_the_log_then_the_players_then_the_picture(rows: int, shown: list[str], cut: int) -> None:
    lines = scene(rows, **TALL).splitlines()
    assert len(lines) <= rows
    assert lines[0].startswith("room 0abc123")
    assert lines[1] == "title"
    notice = [f"… {cut} more rows; enlarge the window"] if cut else []
    assert lines[-len(shown) - len(notice) :] == [*shown, *notice]


def test_players_named_in_the_picture_make_way_for_the_log() -> None:
    lines = scene(14, is_named=True, **TALL).splitlines()
    assert lines[-4:] == ["", "  1", "  2", "  3"]
    assert not any("Ada" in line for line in lines[1:])


def test_a_narrow_window_omits_the_spectators_then_the_game() -> None:
    def status(columns: int) -> str:
        return compose(SCENE, None, columns)[0]

    whole = "room 0abc123   graph_battle   turn 12   4.3 s left   Ada to move   2 watching"
    assert status(len(whole)) == whole
    assert status(len(whole) - 1) == "room 0abc123   graph_battle   turn 12   4.3 s left   Ada to move"
    assert status(60) == "room 0abc123   turn 12   4.3 s left   Ada to move"
    assert status(20) == "room 0abc123   turn…"


def test_a_window_of_the_right_size_cuts_nothing() -> None:
    whole = scene(**TALL)
    assert scene(len(whole.splitlines()), **TALL) == whole
    assert scene(1, **TALL) == whole.splitlines()[0]


def test_a_game_with_secrets_says_that_spectators_do_not_see_them() -> None:
    state = TILE_BLITZ.setup(3, TILE_BLITZ.options_type(), Rng(bytes(16)))
    assert hides(TILE_BLITZ, plain(TILE_BLITZ.public(state)), 3)
    assert not hides(GRAPH_BATTLE, plain(GRAPH_BATTLE.public(OPENING)), 2)
    assert not hides(None, {}, 2)
    assert scene(hides=True).splitlines()[1] == "spectators see only public information"
    assert scene(8, hides=True, **TALL).endswith("window   (spectators see only public information)")


def test_an_installed_game_draws_itself_and_tells_whose_turn_it_is() -> None:
    game = find_game(About("graph_battle", GRAPH_BATTLE.info.rules_version, 2, {}, {}, ""))
    public = plain(GRAPH_BATTLE.public(OPENING))
    assert game is GRAPH_BATTLE
    assert "Graph Battle" in draw(game, public, None)[0]
    assert seats_to_act(game, public, 2) == frozenset({0})


def test_a_game_with_secrets_does_not_show_who_is_undecided() -> None:
    game = sealed_bids.GAME
    opening = game.setup(2, game.options_type(), Rng(bytes(16)))
    assert seats_to_act(game, plain(game.public(opening)), 2) == frozenset()
    match = simulate(game, [find_bot("sealed_bids")] * 2, seed="1").match
    assert seats_to_act(game, plain(game.public(match.state)), 2) == frozenset()


def test_a_game_with_secrets_shows_whose_turn_it_is_if_that_is_public() -> None:
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
    assert text.startswith(f"{ENTER}{HOME}{CLEAR_LINE}first")
    assert "?[31mname" in text
    assert text.endswith(f"{CLEAR_BELOW}{LEAVE}second\n")


def test_a_terminal_never_scrolls_and_keeps_a_last_picture_that_fits() -> None:
    out = io.StringIO()
    with ScreenPainter(out) as painter:
        rows = painter.rows
        painter.paint(["x" * 1_000] * 1_000)
    painted, _, left = out.getvalue().partition(LEAVE)
    assert painted.count("\n") == rows - 1
    assert left.splitlines() == ["x" * FALLBACK_SIZE.columns] * (rows - 1)


def test_a_pipe_gets_one_block_per_scene() -> None:
    out = io.StringIO()
    painter = painter_for(out)
    with painter:
        painter.paint(["a", "b"])
        painter.paint(["c"])
    assert isinstance(painter, BlockPainter)
    assert not painter.ticks
    assert out.getvalue() == "a\nb\n\nc\n\n"


def test_an_omniscient_spectator_is_shown_each_private_view() -> None:
    state = TILE_BLITZ.setup(2, TILE_BLITZ.options_type(), Rng(bytes(16)))
    public, secrets = plain(TILE_BLITZ.public(state)), [plain(TILE_BLITZ.private(state, seat)) for seat in (0, 1)]
    everything = {"public": public, "seats": secrets}
    about = About("tile_blitz", 1, 2, {}, {"watch": "all", "delay": 1}, "")
    assert (public_part(about, everything), secret_parts(about, everything)) == (public, secrets)
    (line,) = draw_besides(TILE_BLITZ, public, secrets[0], ())
    assert line.startswith("your cards")
    assert draw_all(None, 1, [{"hand": [3]}, None], ["Ada", "Bob"]) == ["1", "", "Ada also sees:", "{hand: [3]}"]
    assert draw_all(TILE_BLITZ, None, [], []) == []
    assert labels(public) == ("red", "orange")
    shown = draw_all(TILE_BLITZ, public, secrets, ["Ada", "Bob"])
    assert shown[: shown.index("Ada also sees:") - 1] == draw(TILE_BLITZ, public, None, ["Ada", "Bob"])
    assert shown[-2:] == ["Bob also sees:", *draw_besides(TILE_BLITZ, public, secrets[1], ["Ada", "Bob"])]


def test_a_game_may_draw_all_that_its_seats_see_as_one_picture() -> None:
    state = TIMBERWALL.setup(2, TIMBERWALL.options_type(), Rng(bytes(16)))
    public, secrets = plain(TIMBERWALL.public(state)), [plain(TIMBERWALL.private(state, seat)) for seat in (0, 1)]
    shown = draw_all(TIMBERWALL, public, secrets, ["Ada", "Bob"])
    assert shown == TIMBERWALL.draw_all(public, secrets, ["Ada", "Bob"]).splitlines()
    assert draw_all(TIMBERWALL, public, [], []) == draw(TIMBERWALL, public, None)


def test_other_views_are_public_as_they_are() -> None:
    about = About("tile_blitz", 1, 2, {}, {"watch": "public"}, "")
    view = {"public": 1, "seats": [2]}
    assert (public_part(about, view), secret_parts(about, view), public_part(None, None)) == (view, [], None)


def test_bots_are_marked_in_the_list_of_players() -> None:
    bot = SeatState(0, "p1", "greedy 1", True, False, "greedy", hired=True)
    stand_in = SeatState(1, "p2", "Bob", False, False, "greedy", True)
    own_bot = SeatState(2, "p3", "Deep Thought", True, False, "mine")
    shown = scene(seats=(bot, stand_in, own_bot))
    assert "greedy 1                 bot greedy" in shown
    assert "Deep Thought             player's bot mine" in shown
    assert "Bob                      disconnected, bot greedy plays for them" in shown
