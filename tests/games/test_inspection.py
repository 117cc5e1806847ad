"""The inspector's answers: local matches step by step, edits, replays in and out, and errors that say where."""

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from broken_games import FAILING, UNLUCKY
from golden_results import Results
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from replays import bids_replay, short_match, stood_in_match
from sealed_bids import GAME, SealedBids

from warroom_games.codec import encode
from warroom_games.inspection import MOST_SHOWN, RULES_FAILED, WIDTH, answer, laid_out
from warroom_games.log import Agreed, Resigned
from warroom_games.move_list import Setup, begin, play, read_file
from warroom_games.registry import Registry, load_games
from warroom_games.replay import steps

GAMES = load_games(["sealed_bids:GAME"])
MATCHES = Results().matches()
BIDS = {"game": "sealed_bids", "seats": 2, "options": {"rounds": 2, "cards": 4}, "seed": "1"}


def ask(games: Registry = GAMES, **question: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer(json.dumps({"ref": 7, **question}).encode(), games))
    assert found["ref"] == 7
    return found


def show(*moves: object, at: int | None = None, games: Registry = GAMES, **setup: object) -> dict[str, Any]:
    """Ask for the step *at*, or the last one, and the one before it."""
    last = len(moves) if at is None else at
    match = {**BIDS, **setup, "moves": moves}
    return ask(games, type="show", match=match, first=max(last - 1, 0), last=last)


def act(seat: int, action: object) -> dict[str, object]:
    return {"type": "act", "seat": seat, "action": action}


def edit(state: object) -> dict[str, object]:
    return {"type": "edit", "state": state}


def bid(seat: int, card: int) -> dict[str, object]:
    return act(seat, {"type": "bid", "card": card})


def state_of(found: dict[str, Any]) -> Any:
    return json.loads(found["steps"][-1]["state"])


def hand(seat: int, *moves: object) -> list[int]:
    found: list[int] = show(*moves)["steps"][-1]["private"][seat]["hand"]
    return found


def first_choices(count: int) -> list[dict[str, object]]:
    """Return moves that play the first listed action again and again."""
    moves: list[dict[str, object]] = []
    while len(moves) < count and (choices := show(*moves)["choices"]):
        moves.append(act(choices[0]["seat"], choices[0]["actions"][0]))
    return moves


class TestSteps:
    def test_the_opening_shows_everything_and_who_may_do_what(self) -> None:
        found = show()
        assert (found["type"], found["seats"], found["complete"], found["turns"]) == ("steps", 2, True, [1])
        assert found["options"] == {"rounds": 2, "cards": 4, "peeks": 2}
        assert found["failure"] is None
        (opening,) = found["steps"]
        assert (opening["step"], opening["turn"], opening["asked"], opening["events"]) == (0, 1, [0, 1], [])
        assert opening["result"] is None
        hands = [secret["hand"] for secret in json.loads(opening["state"])["secrets"]]
        assert [view["hand"] for view in opening["private"]] == hands
        assert "hand" not in opening["public"]
        choice = found["choices"][1]
        assert choice["seat"] == 1
        assert [action["card"] for action in choice["actions"] if action["type"] == "bid"] == hands[1]
        assert list(choice["default"].values()) == ["bid", hands[1][0]]
        assert len(choice["notes"]) in (0, len(choice["actions"]))

    def test_a_step_has_its_events_in_all_their_forms(self) -> None:
        card = hand(0)[0]
        before, after = show(bid(0, card))["steps"]
        assert (before["step"], after["step"]) == (0, 1)
        assert after["events"] == [{"public": None, "private": [[0, {"type": "committed", "card": card}]]}]
        assert after["asked"] == [1]

    def test_the_end_has_a_result_and_no_choices(self) -> None:
        found = show(*first_choices(99))
        assert found["choices"] == []
        assert sorted(found["steps"][-1]["result"]) == ["ranks", "reason"]
        refused = show(*first_choices(99), {"type": "draw"})
        assert refused["failure"] == {
            "move": len(first_choices(99)), "code": "move.invalid", "text": "the match is over", "path": "",
        }  # fmt: skip

    def test_any_step_can_be_shown_and_a_large_window_ends_with_the_last(self) -> None:
        moves = first_choices(99)
        assert [step["step"] for step in show(*moves, at=1)["steps"]] == [0, 1]
        assert show(*moves, at=1)["turns"] == show(*moves)["turns"]
        beyond = ask(type="show", match={**BIDS, "moves": moves}, first=0, last=5_000)
        assert [step["step"] for step in beyond["steps"]] == list(range(len(moves) + 1))
        assert [step["step"] for step in show(*moves, at=500)["steps"]] == [len(moves)]
        peeks = [act(0, {"type": "peek"})] * 60
        many = ask(type="show", match={**BIDS, "options": {"peeks": 5}, "moves": peeks}, first=0, last=60)
        assert [step["step"] for step in many["steps"]] == [0, 1]
        assert (many["failure"]["move"], many["failure"]["code"]) == (1, "peek.known")

    def test_a_long_window_is_cut_at_its_beginning(self) -> None:
        state = state_of(show())
        found = ask(type="show", match={**BIDS, "moves": [edit(state)] * 60}, first=10, last=60)
        assert [step["step"] for step in found["steps"]] == list(range(61 - MOST_SHOWN, 61))

    def test_the_choices_are_those_of_the_last_step_shown(self) -> None:
        moves = first_choices(1)
        assert [choice["seat"] for choice in show(*moves, at=0)["choices"]] == [0, 1]
        assert [choice["seat"] for choice in show(*moves, at=1)["choices"]] == [1]

    def test_the_clock_and_resignations_are_moves_too(self) -> None:
        card = hand(1)[0]
        found = show({"type": "clock", "seat": 1}, bid(0, hand(0)[0]))
        assert found["failure"] is None
        assert card not in found["steps"][-1]["private"][1]["hand"]
        over = show({"type": "resign", "seat": 0})
        assert over["steps"][-1]["result"] == {"ranks": [2, 1], "reason": "resigned"}
        drawn = show({"type": "draw"})
        assert drawn["steps"][-1]["result"] == {"ranks": [1, 1], "reason": "draw"}

    @pytest.mark.parametrize("text", MATCHES.values(), ids=MATCHES)
    def test_recorded_matches_end_as_they_did(self, text: str) -> None:
        header, *moves, ending = map(json.loads, text.splitlines())
        game = GAMES.get(header["game"], header["rules_version"])
        match = begin(
            Setup(header["game"], header["rules_version"], header["seats"], header["options"], header["seed"]), GAMES
        )
        for number, move in enumerate(moves):
            is_clock = move["action"]["type"] == game.info.clock_action
            written = {"type": "clock", "seat": move["seat"]} if is_clock else act(move["seat"], move["action"])
            match = play(match, read_move(written), number).match
        assert sha256(encode(match.state)).hexdigest() == ending["sha256"]


def read_move(written: object) -> Any:
    return msgspec.json.decode(json.dumps({"game": "", "moves": [written]}), type=Setup).moves[0]


class TestSeeds:
    def test_a_text_means_what_it_means_to_simulate(self) -> None:
        match = short_match()
        setup = {"game": "graph_battle", "seats": 2, "options": {"max_rounds": 2}, "seed": "short"}
        found = ask(type="show", match=setup, first=0, last=0)
        opening = next(steps(match.replay, GAMES))
        assert found["steps"][0]["state"] == laid_out(json.loads(json_of(opening.state)))

    def test_digits_are_the_seed_itself(self) -> None:
        assert state_of(show(seed="00" * 16)) != state_of(show(seed="01" * 16))
        assert begin(Setup("sealed_bids", seed="0a" * 16), GAMES).opened.seed == b"\x0a" * 16
        assert begin(Setup("sealed_bids", seed="0a" * 15), GAMES).opened.seed != b"\x0a" * 15


def json_of(value: object) -> bytes:
    return msgspec.json.encode(value)


class TestEdits:
    @pytest.mark.parametrize("game", [game.info.id for game in GAMES.newest()])
    def test_an_unchanged_state_of_any_game_goes_on_as_before(self, game: str) -> None:
        setup = {"game": game, "seed": "edit"}
        moves: list[dict[str, object]] = []
        for _ in range(12):
            choice = ask(type="show", match={**setup, "moves": moves}, first=0, last=len(moves))["choices"][0]
            moves.append(act(choice["seat"], choice["actions"][-1]))
        plain = ask(type="show", match={**setup, "moves": moves}, first=12, last=12)
        middle = ask(type="show", match={**setup, "moves": moves}, first=6, last=6)
        edited = [*moves[:6], edit(state_of(middle)), *moves[6:]]
        again = ask(type="show", match={**setup, "moves": edited}, first=13, last=13)
        assert again["failure"] is None
        for name in ("state", "public", "private", "asked", "events"):
            assert again["steps"][-1][name] == plain["steps"][-1][name]
        assert again["choices"] == plain["choices"]

    def test_a_changed_state_is_played_on_from(self) -> None:
        state = state_of(show())
        state["secrets"][0]["hand"] = [4, 4]
        found = show(edit(state), bid(0, 4))
        assert found["failure"] is None
        assert found["steps"][-1]["private"][0]["hand"] == [4, 4]

    def test_later_moves_are_replayed_as_far_as_the_rules_allow(self) -> None:
        moves = first_choices(3)
        state = state_of(show())
        state["secrets"][0]["hand"] = [1]
        found = show(edit(state), *(move for move in moves if move["seat"] == 1), bid(0, 4))
        assert found["failure"]["code"] == "bid.spent"
        assert found["turns"] == [1] * (1 + found["failure"]["move"])

    def test_a_match_that_was_over_can_go_on(self) -> None:
        state = state_of(show())
        found = show({"type": "resign", "seat": 0}, edit(state), bid(1, hand(1)[0]))
        assert found["failure"] is None
        assert found["steps"][-1]["asked"] == [0]

    @pytest.mark.parametrize(
        ("change", "text", "path"),
        [
            (
                lambda state: state["secrets"][1].update(hand=[1, "x"]),
                "Expected `int`, got `str`",
                "$.secrets[1].hand[1]",
            ),
            (lambda state: state.pop("deck"), "Object missing required field `deck`", ""),
            (lambda state: state.update(deck=None), "Expected `array`, got `null`", "$.deck"),
        ],
    )
    def test_a_state_of_the_wrong_form_names_the_place(self, change: Any, text: str, path: str) -> None:
        state = state_of(show())
        change(state)
        found = show(edit(state))
        assert found["failure"] == {"move": 0, "code": "state.invalid", "text": text, "path": path}
        assert [step["step"] for step in found["steps"]] == [0]

    def test_a_state_that_the_rules_cannot_bear_says_where_they_failed(self) -> None:
        state = state_of(show())
        state["secrets"] = []
        failure = show(edit(state), bid(0, 1))["failure"]
        assert failure["code"] == RULES_FAILED
        assert failure["text"].startswith("IndexError: tuple index out of range (sealed_bids.py, line ")

    def test_a_view_that_fails_is_an_error_of_the_question(self) -> None:
        refused = show(games=Registry([UNLUCKY]))
        assert (refused["type"], refused["code"]) == ("refused", RULES_FAILED)
        assert refused["text"].startswith("ValueError: bound must be from 1 to 2**64, got 0 (rng.py, line ")


class TestReplays:
    def test_a_match_becomes_a_replay_and_again_the_match(self) -> None:
        moves = [*first_choices(2), {"type": "clock", "seat": show(*first_choices(2))["choices"][0]["seat"]}]
        file = ask(type="write", match={**BIDS, "moves": moves})["file"]
        played = list(steps(b64decode(file), GAMES))
        assert [step.by for step in played] == [None, "player", "player", "clock"]
        assert json.loads(json_of(played[-1].state)) == state_of(show(*moves))
        found = ask(type="read", file=file)
        assert (found["type"], found["omitted"]) == ("match", 0)
        match = found["match"]
        assert match["moves"] == moves
        again = ask(type="show", match=match, first=0, last=3)
        assert again["steps"][-1] == show(*moves)["steps"][-1]

    def test_a_whole_match_of_bots_opens(self) -> None:
        match = short_match()
        setup, omitted = read_file(match.replay)
        found = ask(type="show", match=json.loads(json_of(setup)), first=9_999, last=9_999)
        assert (omitted, found["failure"]) == (0, None)
        *_, last = steps(match.replay, GAMES)
        assert len(found["turns"]) == last.step + 1
        assert found["steps"][-1]["result"]["ranks"] == list(match.result.ranks)

    def test_what_changes_nothing_in_the_game_is_left_out_and_counted(self) -> None:
        setup, omitted = read_file(stood_in_match())
        assert omitted == 1
        assert [type(move).__name__ for move in setup.moves] == ["Act", "Act", "Act", "TimeOut"]
        assert (setup.seats, setup.seed, setup.seating, setup.options["rounds"]) == (2, "00" * 16, "as_joined", 2)
        match = begin(setup, GAMES)
        for number, move in enumerate(setup.moves):
            match = play(match, move, number).match
        *_, last = steps(stood_in_match(), GAMES)
        assert match.state == last.state

    def test_resignations_and_draws_are_kept(self) -> None:
        assert [type(move).__name__ for move in read_file(bids_replay(Resigned(5, 1)))[0].moves] == ["Resign"]
        paused = bids_replay(Agreed(5, "pause"), Agreed(6, "resume"), Agreed(7, "draw"))
        assert [type(move).__name__ for move in read_file(paused)[0].moves] == ["Draw"]
        assert read_file(paused)[1] == 2

    def test_an_edit_is_in_no_replay(self) -> None:
        refused = ask(type="write", match={**BIDS, "moves": [edit(state_of(show()))]})
        assert (refused["type"], refused["code"]) == ("refused", "match.invalid")
        assert refused["text"] == "move 1 is an edit, and no replay can have one"

    def test_a_damaged_file_is_refused(self) -> None:
        refused = ask(type="read", file=b64encode(b"WARROOM\n?").decode())
        assert (refused["type"], refused["code"]) == ("refused", "match.invalid")
        assert "unknown replay format" in refused["text"]


class TestRefusals:
    @pytest.mark.parametrize(
        ("match", "text"),
        [
            ({"game": "chess"}, "unknown game 'chess'; installed: graph_battle, sealed_bids, "),
            ({"game": "strata", "rules_version": 99}, "strata has no rules version 99; installed: "),
            ({"game": "sealed_bids", "seats": 9}, "sealed_bids is played by 2 to 4 seats, not 9"),
            ({"game": "sealed_bids", "options": {"round": 1}}, "sealed_bids has no option 'round' (1); allowed: "),
            (
                {"game": "sealed_bids", "options": {"rounds": 0}},
                "option 'rounds' of sealed_bids cannot be 0; allowed: ",
            ),
        ],
    )
    def test_a_match_that_cannot_begin_says_why(self, match: object, text: str) -> None:
        refused = ask(type="show", match=match, first=0, last=0)
        assert (refused["type"], refused["code"]) == ("refused", "match.invalid")
        assert refused["text"].startswith(text), refused["text"]

    @pytest.mark.parametrize(
        "question",
        [b"", b"{", b"[]", b"[" * 100_000, b"\xff", b'{"type":"show","ref":1}', b'{"type":"dance","ref":1}',
         b'{"type":"read","ref":1,"file":"?"}',
         b'{"type":"show","ref":1,"first":0,"last":0,"match":{"game":"strata","moves":[{"type":"fly"}]}}',
         b'{"type":"show","ref":-1,"first":0,"last":0,"match":{"game":"strata"}}'],
    )  # fmt: skip
    def test_what_is_no_question_is_refused(self, question: bytes) -> None:
        refused = json.loads(answer(question, GAMES))
        assert (refused["type"], refused["ref"], refused["code"]) == ("refused", None, "message.malformed")
        assert refused["text"].startswith("not a question: ")

    @pytest.mark.parametrize(
        ("move", "code", "text"),
        [
            (bid(0, 20), "bid.spent", "card 20 is not in your hand"),
            (bid(5, 1), "act.stale", "seat 5 is not to act"),
            ({"type": "clock", "seat": 5}, "act.stale", "seat 5 is not to act"),
            (act(0, {"type": "pass"}), "move.invalid", "not an action of sealed_bids: "),
            (act(0, {"type": "bid", "card": 1.5}), "move.invalid", "not an action of sealed_bids: "),
            ({"type": "resign", "seat": 5}, "move.invalid", "entry 5: seat 5 is not in the match"),
        ],
    )
    def test_a_move_that_cannot_be_played_is_named_and_the_rest_is_shown(
        self, move: object, code: str, text: str
    ) -> None:
        found = show(move, bid(0, 1), at=0)
        assert found["failure"]["move"] == 0
        assert found["failure"]["code"] == code
        assert found["failure"]["text"].startswith(text), found["failure"]
        assert (found["turns"], len(found["steps"])) == ([1], 1)

    def test_only_the_clock_plays_its_action(self) -> None:
        found = ask(type="show", match={"game": "strata", "moves": [act(0, {"type": "time_out"})]}, first=0, last=0)
        assert found["failure"]["code"] == "act.clock_only"

    def test_a_bug_in_the_rules_names_its_line(self) -> None:
        failing = Registry([FAILING])
        moves = [bid(seat, hand(seat)[0]) for seat in (0, 1)]
        failure = show(*moves, games=failing)["failure"]
        assert (failure["move"], failure["code"]) == (1, RULES_FAILED)
        assert failure["text"].startswith("IndexError: tuple index out of range (broken_games.py, line ")

    def test_an_older_version_of_the_rules_can_be_asked_for(self) -> None:
        class Newer(SealedBids):
            info = replace(SealedBids.info, rules_version=2)

        both = Registry([GAME, Newer()])
        assert show(games=both)["rules_version"] == 2
        assert show(games=both, rules_version=1)["rules_version"] == 1


MOVES = st.sampled_from(["act", "clock", "resign", "draw", "edit", "fly"])
PLAIN = st.none() | st.integers(-1, 30) | st.sampled_from(["bid", "peek"]) | st.lists(st.integers(), max_size=2)
ACTIONS = st.dictionaries(st.sampled_from(["type", "card", "x"]), PLAIN, max_size=3)
ODD_MOVES = st.fixed_dictionaries(
    {"type": MOVES}, optional={"seat": st.integers(-1, 65), "action": ACTIONS, "state": ACTIONS | PLAIN}
)


@given(st.lists(ODD_MOVES, max_size=6), st.integers(-1, 8), st.integers(-1, 8))
def test_any_moves_get_an_answer(moves: list[object], first: int, last: int) -> None:
    question = {"type": "show", "ref": 1, "match": {**BIDS, "moves": moves}, "first": first, "last": last}
    found = json.loads(answer(json.dumps(question).encode(), GAMES))
    assert found["type"] in ("steps", "refused")
    if found["type"] == "steps":
        known = len(found["turns"]) - 1
        assert [step["step"] for step in found["steps"]] == list(range(min(first, last, known), min(last, known) + 1))
        assert (found["failure"] is None) == (known == len(moves))


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ([1, 2], ["[1,2]"]),
        ({}, ["{}"]),
        (
            {"a": ["x" * 60, "y" * 60], "b": 1},
            ["{", '  "a": [', f'    "{"x" * 60}",', f'    "{"y" * 60}"', "  ],", '  "b": 1', "}"],
        ),
        ("z" * 200, [f'"{"z" * 200}"']),
    ],
)
def test_a_state_is_laid_out_within_the_width_where_it_can_be(value: object, lines: Sequence[str]) -> None:
    assert laid_out(value).splitlines() == lines
    assert json.loads(laid_out(value)) == value
    assert max(map(len, lines)) <= WIDTH or len(lines) == 1
