"""`warroom verify`."""

import json
from pathlib import Path

import pytest
import sealed_bids
from replays import secret_match, serving, short_match

from warroom_games.log import commitment
from warroom_games.registry import Registry, load_games
from warroom_games.replay import ReplayError, verify
from warroom_server.cli import main


@pytest.fixture
def replay(tmp_path: Path) -> Path:
    path = tmp_path / "match.replay"
    path.write_bytes(short_match().replay)
    return path


def test_a_replay_that_holds_says_what_was_checked_and_what_that_proves(
    replay: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(replay)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("accepted: room 0000000, graph_battle (rules version 2)")
    assert "the seed matches the commitment" in text
    assert "changed after the players sat down" in text
    assert "--commitment and --chain" in text


def test_the_chain_that_a_player_noted_is_compared(replay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chain = short_match().match.chain.hex()
    assert main(["verify", str(replay), "--chain", chain]) == 0
    assert "the chain ends with the one you gave" in capsys.readouterr().out
    assert main(["verify", str(replay), "--chain", "00" * 32]) == 1
    assert f"its chain ends with {chain}" in capsys.readouterr().out


def test_the_commitment_that_a_player_noted_is_compared(replay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = short_match().match
    noted = commitment(match.opened.seed).hex()
    assert main(["verify", str(replay), "--commitment", noted]) == 0
    assert "commitment is the one you gave" in capsys.readouterr().out
    assert main(["verify", str(replay), "--commitment", noted, "--chain", match.chain.hex()]) == 0
    assert "This proves that nothing was changed after the players sat down" in capsys.readouterr().out
    assert main(["verify", str(replay), "--commitment", "00" * 32]) == 1
    assert f"its commitment is {noted}" in capsys.readouterr().out


def test_as_json_a_finding_is_one_object(replay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(replay), "--json"]) == 0
    finding = json.loads(capsys.readouterr().out)
    assert finding["accepted"] is True
    assert finding["chain"] == short_match().match.chain.hex()
    assert main(["verify", str(replay), "--json", "--chain", "00" * 32]) == 1
    assert json.loads(capsys.readouterr().out)["accepted"] is False


def test_a_changed_entry_is_rejected_with_its_place(replay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = bytearray(replay.read_bytes())
    data[-40] ^= 1
    replay.write_bytes(data)
    assert main(["verify", str(replay)]) == 1
    text = capsys.readouterr().out
    assert text.startswith(f"rejected: {replay}\n  entry ")


def test_whatever_byte_is_flipped_the_replay_is_rejected() -> None:
    games = Registry([sealed_bids.GAME])
    whole = secret_match().replay
    verify(whole, games)
    accepted = []
    for index in range(len(whole)):
        changed = whole[:index] + bytes([whole[index] ^ 1 << index % 8]) + whole[index + 1 :]
        try:
            verify(changed, games)
        except ReplayError:
            continue
        accepted.append(index)
    assert accepted == []


def test_a_replay_that_was_cut_off_is_rejected() -> None:
    whole = short_match().replay
    for length in range(0, len(whole), 97):
        with pytest.raises(ReplayError):
            verify(whole[:length], load_games())


def test_a_room_code_is_fetched_from_the_server(capsys: pytest.CaptureFixture[str]) -> None:
    with serving({"0abc123": short_match().replay}) as url:
        assert main(["verify", "0ABCl23", "--url", url]) == 0
        assert main(["verify", "0000000", "--url", url]) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith("accepted")
    assert "has no replay of room 0000000" in printed.err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(["no-such-file"], 2, "no file 'no-such-file', and not a room code", id="neither"),
        pytest.param(["0abc123", "--url", "ws://127.0.0.1:1/ws"], 1, "`warroom serve` starts a server", id="nobody"),
        pytest.param(
            ["0abc123", "--game", "nothing", "--url", "ws://127.0.0.1:1/ws"],
            1,
            "cannot reach",
            id="server before games",
        ),
    ],
)
def test_what_cannot_be_had_is_one_line(
    arguments: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", *arguments]) == code
    errors = capsys.readouterr().err
    assert message in errors
    assert errors.count("\n") == 1
