"""`warroom replay`."""

import json
from pathlib import Path

import pytest
from replays import secret_match, serving, short_match
from sealed_bids import GAME

from warroom_games.codec import decode_options, encode
from warroom_games.log import Agreed, Opened, Reclaimed, RoomOptions, Sat, Started, StoodIn
from warroom_games.match import Match
from warroom_games.replay import Link, seal
from warroom_server.cli import main

SEALED_BIDS = ["--game", "sealed_bids:GAME"]


@pytest.fixture
def replay(tmp_path: Path) -> Path:
    path = tmp_path / "match.replay"
    path.write_bytes(short_match().replay)
    return path


def test_a_match_is_told_in_words_and_pictures(replay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(replay)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Graph Battle, room 0000000")
    assert "  seat 0: simple 1" in text
    assert "--- turn 1 ---\nGraph Battle   round 1 of 2" in text
    assert "random 2: end turn" in text
    assert "--- the end: cap ---" in text
    assert text.rstrip().splitlines()[-2].startswith("  1. ")


def test_what_is_no_action_is_told_in_words_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = RoomOptions(turn_ms=1_000, seating="as_joined")
    rounds = encode(decode_options(GAME, {"rounds": 2}))
    opened = Opened(7, "sealed_bids", 1, 2, rounds, options, "ada", 1, bytes(16), 0)
    match = Match.open(opened, GAME)
    log = [Link(encode(opened), match.chain)]
    for entry in (
        Sat(0, "ada", "Ada"),
        Sat(1, "bob", "Bob"),
        Started(0),
        StoodIn(10, 0, "robot", "Robot", "greedy"),
        Reclaimed(20, 0),
        Agreed(30, "pause"),
        Agreed(30, "resume"),
        Agreed(40, "draw"),
    ):
        advanced = match.advance(entry)
        match = advanced.match
        log.append(Link(advanced.entry, match.chain))
    path = tmp_path / "agreed.replay"
    path.write_bytes(seal(log))
    assert main(["replay", str(path), *SEALED_BIDS]) == 0
    told = [line[14:] for line in capsys.readouterr().out.splitlines() if line[:4].strip().isdecimal()]
    assert told == [
        "a bot stands in for Ada",
        "Ada is back",
        "all agree on a pause",
        "the pause is over",
        "all agree on a draw",
    ]


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
        pytest.param(["no-such-file"], 2, "no room code", id="neither file nor code"),
        pytest.param(["0abc123", "--url", "ws://127.0.0.1:1/ws"], 1, "cannot reach", id="no server"),
        pytest.param(["{replay}", "--game", "nothing"], 2, "write module:object", id="no game"),
        pytest.param(["{replay}", "--out", "{replay}/x"], 1, "cannot write", id="no place to write"),
        pytest.param(["{readme}"], 1, "this is no Warroom replay", id="no replay"),
    ],
)
def test_what_cannot_be_told_is_one_line(
    arguments: list[str], code: int, message: str, replay: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = replay.with_name("readme")
    readme.write_text("hello")
    assert main(["replay", *(each.format(replay=replay, readme=readme) for each in arguments)]) == code
    errors = capsys.readouterr().err
    assert message in errors
    assert errors.count("\n") == 1
