"""Five bots play a match over the network, and its replay stands up to checking and to nothing else."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from replay_log import time_outs
from server_process import WARROOM, ServerProcess

from warroom_games.registry import load_games
from warroom_games.replay import ReplayError, verify
from warroom_games.rng import Rng

SAMPLES = 60
PATIENCE_S = 60


def _warroom(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [str(WARROOM), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def _positions(size: int) -> list[int]:
    """Return the first byte, the last, and some between them."""
    drawn, _ = Rng(b"some bytes of it").sample(range(1, size - 1), SAMPLES - 2)
    return [0, *drawn, size - 1]


def _flipped(replay: bytes, position: int) -> bytes:
    return replay[:position] + bytes([replay[position] ^ 1 << position % 8]) + replay[position + 1 :]


def _finding(outcome: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    finding: dict[str, Any] = json.loads(outcome.stdout)
    return finding


def test_five_bots_finish_a_match_whose_replay_is_accepted_and_with_any_byte_flipped_rejected(
    server: ServerProcess, tmp_path: Path
) -> None:
    table = ("graph_battle", "--create", "--count", "5", "--turn-ms", "2000", "--url", server.url, "--json")
    played = _warroom("bot", *table)
    assert played.returncode == 0, played.stderr
    result = _finding(played)
    assert len(result["ranking"]) == 5
    assert result["reason"] in ("victory", "cap")

    code, chain = result["room"], result["chain"]
    replay = server.await_replay(code)
    accepted = _warroom("verify", code, "--url", server.url, "--chain", chain, "--json")
    assert accepted.returncode == 0, accepted.stdout
    assert _finding(accepted)["seed"] == result["seed"]
    assert time_outs(replay) == []

    games = load_games()
    for position in _positions(len(replay)):
        with pytest.raises(ReplayError):
            verify(_flipped(replay, position), games)
    changed = tmp_path / "changed.replay"
    changed.write_bytes(_flipped(replay, len(replay) // 2))
    rejected = _warroom("verify", changed, "--json")
    assert rejected.returncode == 1
    assert _finding(rejected)["accepted"] is False
