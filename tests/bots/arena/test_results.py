"""The file of results: it survives interrupts, and belongs to one set of settings."""

from pathlib import Path

import pytest
from contests import contest, played

from warroom_bots.arena.results import MatchResult, ResultsError, ResultsFile, ranked_last

SETTINGS = contest("a", "b")
FIRST, SECOND = played(SETTINGS, 0, [1, 2]), played(SETTINGS, 1, [2, 1])


def written(path: Path) -> bytes:
    """Write a file with two results, and return it."""
    file = ResultsFile(path, SETTINGS)
    file.open()
    file.add(SECOND)  # a quick match may end before an earlier one
    file.add(FIRST)
    return path.read_bytes()


def test_results_are_found_again(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    written(path)
    again = ResultsFile(path, SETTINGS)
    again.open()
    assert again.first(2) == [FIRST, SECOND]
    assert again.first(1) == [FIRST]


@pytest.mark.parametrize("kept", [1, 40, -1, -25])
def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "results.jsonl"
    whole = written(path)
    path.write_bytes(whole[:kept])
    again = ResultsFile(path, SETTINGS)
    again.open()
    for result in (FIRST, SECOND):
        if result.match not in again.results:
            again.add(result)
    assert sorted(path.read_bytes().splitlines()) == sorted(whole.splitlines())


def test_other_settings_are_refused_and_the_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    whole = written(path)
    with pytest.raises(ResultsError, match="other settings: seed '1', not '2'"):
        ResultsFile(path, contest("a", "b", seed="2"))
    assert path.read_bytes() == whole


@pytest.mark.parametrize("text", ["a diary\n", "{}\n", "a diary", '{"arena":1}\n'])
def test_another_file_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "diary.txt"
    path.write_text(text)
    with pytest.raises(ResultsError, match="not a file of arena results"):
        ResultsFile(path, SETTINGS)
    assert path.read_text() == text


def test_a_match_without_a_result_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    written(path)
    file = ResultsFile(path, SETTINGS)
    assert file.missing(3) == [2]
    file.add(MatchResult(match=1, bots=("a", "b"), ranks=(), reason="void: the server is gone"))
    again = ResultsFile(path, SETTINGS)
    assert again.missing(3) == [1, 2]
    again.add(SECOND)
    assert ResultsFile(path, SETTINGS).first(3) == [FIRST, SECOND]


def test_without_a_path_nothing_is_written() -> None:
    file = ResultsFile(None, SETTINGS)
    file.open()
    file.add(FIRST)
    assert file.first(5) == [FIRST]


@pytest.mark.parametrize(
    ("ranks", "offenders", "expected"),
    [
        pytest.param([1, 2], [], (1, 2), id="nobody"),
        pytest.param([2, 1], [0], (2, 1), id="a loser"),
        pytest.param([1, 2, 3, 4], [0], (4, 1, 2, 3), id="the winner"),
        pytest.param([1, 1, 3, 4], [2, 0], (3, 1, 4, 2), id="the first at fault is last of all"),
        pytest.param([1, 2, 2, 2], [1], (1, 4, 2, 2), id="ties stay ties"),
    ],
)
def test_those_at_fault_rank_behind_all_others(
    ranks: list[int], offenders: list[int], expected: tuple[int, ...]
) -> None:
    assert ranked_last(ranks, offenders) == expected
