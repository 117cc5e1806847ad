"""`warroom replay`."""

import json
import re
from pathlib import Path

import pytest
from replays import bids_replay, secret_match, serving, short_match, stood_in_match

from warroom_bots.registry import find_bot
from warroom_bots.simulation import simulate
from warroom_games.log import Agreed, Reclaimed, StoodIn
from warroom_games.registry import Registry
from warroom_games.replay import ReplayStep, steps
from warroom_games.timberwall.rules import GAME as TIMBERWALL
from warroom_protocol.canonical import plain
from warroom_server.cli import main

SEALED_BIDS = ["--game", "sealed_bids:GAME"]


@pytest.fixture
def replay(tmp_path: Path) -> Path:
    path = tmp_path / "match.replay"
    path.write_bytes(short_match().replay)
    return path


def test_a_match_is_shown_as_text_and_boards(replay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(replay)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Graph Battle, room 0000000")
    assert "  seat 0: simple 1" in text
    assert "--- turn 1 ---\nGraph Battle   round 1 of 2" in text
    assert "random 2: end turn" in text
    assert "--- match over: length limit reached ---" in text
    assert text.rstrip().splitlines()[-2].startswith("  1. ")


def lines_of(text: str) -> list[str]:
    """Return the text of each step."""
    return [line[14:] for line in text.splitlines() if line[:4].strip().isdecimal()]


def test_invalid_actions_are_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "agreed.replay"
    stood_in, back = StoodIn(10, 0, "robot", "Robot", "greedy"), Reclaimed(20, 0)
    agreed = (Agreed(30, "pause"), Agreed(30, "resume"), Agreed(40, "draw"))
    path.write_bytes(bids_replay(stood_in, back, *agreed))
    assert main(["replay", str(path), *SEALED_BIDS]) == 0
    assert lines_of(capsys.readouterr().out) == [
        "a bot plays for Ada",
        "Ada is back",
        "the players agree on a pause",
        "the match resumes",
        "the players agree on a draw",
    ]


@pytest.fixture
def stood_in(tmp_path: Path) -> Path:
    path = tmp_path / "stood_in.replay"
    path.write_bytes(stood_in_match())
    return path


def test_each_action_says_whether_a_player_a_stand_in_or_the_clock_made_it(
    stood_in: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(stood_in), "--states", *SEALED_BIDS]) == 0
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(step["kind"], step["seat"], step["by"]) for step in steps] == [
        ("start", None, None),
        ("action", 0, "player"),
        ("stand_in", 1, None),
        ("action", 1, "player"),
        ("action", 1, "stand-in"),
        ("action", 0, "clock"),
    ]


def test_the_text_names_stand_ins_and_the_clock(stood_in: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(stood_in), *SEALED_BIDS]) == 0
    told = [line.split(": ")[0] for line in lines_of(capsys.readouterr().out)]
    assert told == ["Ada", "a bot plays for Bob", "Bob", "Bob (by the stand-in)", "Ada (by the clock)"]


class TestPictures:
    """Hidden information is drawn after the match."""

    @pytest.fixture
    def fog(self, tmp_path: Path) -> Path:
        bots = [find_bot("timberwall", "random")] * 2
        path = tmp_path / "fog.replay"
        path.write_bytes(simulate(TIMBERWALL, bots, seed="fog", options={"max_turns": 4}).replay)
        return path

    @staticmethod
    def last_step(path: Path) -> ReplayStep:
        return list(steps(path.read_bytes(), Registry([TIMBERWALL])))[-1]

    def test_units_of_both_sides_are_drawn(self, fog: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["replay", str(fog)]) == 0
        opening = capsys.readouterr().out.split("--- turn 1 ---")[1].split("---")[0]
        assert re.search(r"\bG\d+\b", opening)
        assert re.search(r"\bR\d+\b", opening)

    @pytest.mark.parametrize("seat", [0, 1])
    def test_one_seat_is_drawn_as_it_saw_the_match(
        self, fog: Path, seat: int, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["replay", str(fog), "--seat", str(seat)]) == 0
        told = capsys.readouterr().out
        step, names = self.last_step(fog), re.findall(r"^  seat \d: (.*)$", told, re.MULTILINE)
        views = [
            TIMBERWALL.draw_for(plain(step.public), view, names)
            for view in (None, *(plain(private) for private in step.private))
        ]
        assert [f"{view}\n" in told.split("--- match over")[1] for view in views] == [
            False,
            seat == 0,
            seat == 1,
        ]

    def test_hands_are_drawn_below_the_table(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "bids.replay"
        path.write_bytes(secret_match().replay)
        assert main(["replay", str(path), *SEALED_BIDS]) == 0
        opening = capsys.readouterr().out.split("--- turn 1 ---")[1].split("---")[0]
        assert opening.count("also sees:") == 2

    def test_a_seat_that_there_is_not_is_refused(self, fog: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["replay", str(fog), "--seat", "2"]) == 2
        assert capsys.readouterr() == ("", "warroom replay: no seat 2; the match has seats 0 to 1\n")


def test_every_step_is_one_json_line_with_state_and_views(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bids.replay"
    path.write_bytes(secret_match().replay)
    assert main(["replay", str(path), "--states", *SEALED_BIDS]) == 0
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [step["step"] for step in steps] == list(range(len(steps)))
    assert (steps[0]["kind"], steps[0]["seat"], steps[0]["by"], steps[0]["action"]) == ("start", None, None, None)
    first = steps[1]
    assert (first["kind"], first["seat"], first["by"]) == ("action", 0, "player")
    assert first["action"]["type"] in ("bid", "peek")
    assert first["events"][0]["public"] is None
    assert first["events"][0]["private"][0]["seat"] == 0
    assert first["state"]["table"] == first["public"]
    assert first["state"]["secrets"] == first["private"]


def test_bytes_in_a_state_are_shown_in_hexadecimal(replay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(replay), "--states"]) == 0
    opening = json.loads(capsys.readouterr().out.splitlines()[0])
    assert len(bytes.fromhex(opening["state"]["rng"]["key"])) == 16


def test_a_replay_is_fetched_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "kept.replay"
    with serving({"0abc123": short_match().replay}) as url:
        assert main(["replay", "0abc123", "--url", url, "--out", str(kept)]) == 0
    assert kept.read_bytes() == short_match().replay
    assert "Graph Battle" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(["no-such-file"], 2, "not a room code", id="neither file nor code"),
        pytest.param(["0abc123", "--url", "ws://127.0.0.1:1/ws"], 1, "cannot reach", id="no server"),
        pytest.param(["{replay}", "--game", "nothing"], 2, "write module:object", id="no game"),
        pytest.param(["{replay}", "--out", "{replay}/x"], 1, "cannot write", id="no place to write"),
        pytest.param(["{readme}"], 1, "this is not a Warroom replay", id="no replay"),
    ],
)
def test_an_unusable_replay_is_one_line(
    arguments: list[str], code: int, message: str, replay: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = replay.with_name("readme")
    readme.write_text("hello")
    assert main(["replay", *(each.format(replay=replay, readme=readme) for each in arguments)]) == code
    errors = capsys.readouterr().err
    assert message in errors
    assert errors.count("\n") == 1
