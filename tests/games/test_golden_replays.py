"""Recorded matches still go as they went; where one does not, the game needs a new version of its rules."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from golden_replays import record, rerun
from golden_results import Proof, ResultChangedError, Results, digest, main
from msgspec.structs import replace
from sealed_bids import GAME, Action, Peek, SealedBids, State

from warroom_games.api import AnyGame, IllegalActionError
from warroom_games.registry import load_games

MATCHES = Results().matches()
GAMES = load_games(["sealed_bids:GAME"])


@pytest.mark.parametrize("text", MATCHES.values(), ids=MATCHES)
def test_a_recorded_match_ends_as_it_did(text: str) -> None:
    header = json.loads(text.splitlines()[0])
    now, then = rerun(GAMES.get(header["game"], header["rules_version"]), text)
    assert now == then


def test_every_game_has_a_recorded_match() -> None:
    recorded = {(proof.game, proof.rules_version) for proof in (Proof.of(*match) for match in MATCHES.items())}
    assert recorded == {(game.info.id, game.info.rules_version) for game in GAMES}


def test_a_record_without_its_last_action_ends_otherwise() -> None:
    lines = record(GAME, 2, b"a record to edit").splitlines()
    assert rerun(GAME, "\n".join(lines))[0] == json.loads(lines[-1])
    now, then = rerun(GAME, "\n".join([*lines[:-2], lines[-1]]))
    assert now != then


# --- a version of the rules has one result ----------------------------------------------------------------------


def test_every_recorded_match_is_the_one_that_is_listed_for_its_version() -> None:
    assert Results().objections() == []


class WithoutPeeks(SealedBids):
    """Other rules under the same version: nobody may peek."""

    def legal_actions(self, state: State, seat: int) -> Iterator[Action]:
        return (action for action in super().legal_actions(state, seat) if not isinstance(action, Peek))

    def check(self, state: State, seat: int, action: Action) -> None:
        if isinstance(action, Peek):
            raise IllegalActionError("peek.none", "nobody may peek")
        super().check(state, seat, action)


class WithoutPeeksVersion2(WithoutPeeks):
    info = replace(SealedBids.info, rules_version=2)


MATCH = "sealed_bids_two_seats"


@pytest.fixture
def results(tmp_path: Path) -> Results:
    """A folder with one match in it, in which somebody peeks."""
    kept = Results(tmp_path)
    kept.keep({MATCH: record(GAME, 2, b"a match to keep!", peeks=2)})
    assert '"peek"' in kept.matches()[MATCH]
    return kept


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_a_match_that_goes_as_it_went_is_recorded_again_without_a_change(results: Results, tmp_path: Path) -> None:
    before = contents(tmp_path)
    assert results.record_again(GAME) == 1
    assert contents(tmp_path) == before
    assert results.objections() == []


def test_other_results_are_not_recorded_under_the_same_version(results: Results, tmp_path: Path) -> None:
    before = contents(tmp_path)
    with pytest.raises(ResultChangedError, match=r"by version 1 of the rules: raise rules_version of sealed_bids"):
        results.record_again(WithoutPeeks())
    assert contents(tmp_path) == before


def test_nothing_is_recorded_where_one_match_of_several_goes_otherwise(results: Results, tmp_path: Path) -> None:
    before = contents(tmp_path)
    fine, changed = (record(game, 2, b"a match to keep!", peeks=2) for game in (GAME, WithoutPeeks()))
    with pytest.raises(ResultChangedError):
        results.keep({"sealed_bids_another": fine, MATCH: changed})
    assert contents(tmp_path) == before


def test_another_version_is_entered_and_the_old_one_kept(results: Results) -> None:
    old = digest(results.matches()[MATCH])
    results.record_again(WithoutPeeksVersion2())
    new = results.matches()[MATCH]
    assert '"peek"' not in new
    assert results.listed() == {Proof("sealed_bids", 1, MATCH): old, Proof("sealed_bids", 2, MATCH): digest(new)}
    assert results.objections() == []
    game: AnyGame = WithoutPeeksVersion2()
    now, then = rerun(game, new)
    assert now == then


def test_actions_are_kept_as_long_as_the_rules_allow_them(results: Results) -> None:
    old = results.matches()[MATCH].splitlines()
    results.record_again(WithoutPeeksVersion2())
    new = results.matches()[MATCH].splitlines()
    first_peek = next(number for number, line in enumerate(old) if '"peek"' in line)
    assert new[1:first_peek] == old[1:first_peek]


def test_a_match_that_was_written_by_hand_or_taken_away_is_noticed(results: Results, tmp_path: Path) -> None:
    path = tmp_path / f"{MATCH}.jsonl"
    text = path.read_text()
    path.write_text(text.replace('"result"', '"outcome"'))
    assert results.objections() == [
        f"{MATCH} does not go as it went by version 1 of the rules: "
        "raise rules_version of sealed_bids, then record its matches anew"
    ]
    path.rename(tmp_path / "sealed_bids_renamed.jsonl")
    assert results.objections() == [
        "sealed_bids_renamed is not in the list: record it",
        f"{MATCH} is in the list for sealed_bids 1 and gone",
    ]


def test_a_list_that_says_something_twice_is_not_read(results: Results, tmp_path: Path) -> None:
    entries = json.loads((tmp_path / "results.json").read_text())
    (tmp_path / "results.json").write_text(json.dumps(entries * 2))
    with pytest.raises(AssertionError, match="twice"):
        results.objections()


def test_the_tool_records_and_says_what_it_does_not_record(
    results: Results, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sealed_bids"], results) == 0
    more = ["--new", "short", "--seats", "3", "--seed", "sixteen letters!", "--options", '{"rounds": 2}']
    assert main(["sealed_bids", *more], results) == 0
    assert sorted(results.matches()) == ["sealed_bids_short", MATCH]
    before = contents(tmp_path)
    assert main(["sealed_bids", *more[:-1], '{"rounds": 3}'], results) == 1
    assert main(["chess"], results) == 1
    assert main(["sealed_bids", *more[:5], "short"], results) == 1
    assert contents(tmp_path) == before
    told = capsys.readouterr()
    assert told.out.splitlines() == ["recorded: 1, by version 1 of sealed_bids"] * 2
    assert "raise rules_version of sealed_bids" in told.err
