"""Recorded matches still end as they did; one that does not needs a new rules version."""

import json
from pathlib import Path
from typing import Any

import pytest
from golden_replays import record, rerun

from warroom_games.registry import load_games

FILES = sorted((Path(__file__).parents[1] / "golden/replays").glob("*.jsonl"))
GAMES = load_games(["sealed_bids:GAME"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_recorded_match_ends_as_it_did(path: Path) -> None:
    text = path.read_text()
    header = json.loads(text.splitlines()[0])
    now, then = rerun(GAMES.get(header["game"], header["rules_version"]), text)
    assert now == then


def test_every_game_has_a_recorded_match() -> None:
    recorded = {(header["game"], header["rules_version"]) for header in map(_header, FILES)}
    assert recorded == {(game.info.id, game.info.rules_version) for game in GAMES}


def test_a_record_without_its_last_action_ends_otherwise() -> None:
    game = GAMES.get("sealed_bids")
    lines = record(game, 2, b"a record to edit").splitlines()
    assert rerun(game, "\n".join(lines))[0] == json.loads(lines[-1])
    now, then = rerun(game, "\n".join([*lines[:-2], lines[-1]]))
    assert now != then


def _header(path: Path) -> dict[str, Any]:
    header: dict[str, Any] = json.loads(path.read_text().splitlines()[0])
    return header
