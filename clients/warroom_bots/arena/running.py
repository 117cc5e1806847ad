"""Runs a contest: plays the matches that have no result yet, and stops as soon as the question is answered."""

from collections.abc import Callable

from warroom_bots.arena.processes import Processes
from warroom_bots.arena.results import MatchResult, ResultsFile
from warroom_bots.arena.standings import sequential_test
from warroom_bots.arena.statistics import Sprt
from warroom_bots.arena.worker import Job


def play_contest(
    job: Job,
    file: ResultsFile,
    *,
    games: int,
    processes: int,
    sprt: Sprt | None,
    progress: Callable[[MatchResult], None],
) -> None:
    """Play the first *games* matches of a contest, or as many of them as the sequential test needs.

    Results are added to the file as they come. Which processes play does not matter to them.
    """
    contest = job.contest

    def is_decided() -> bool:
        return sprt is not None and sequential_test(contest, sprt, file.first(games)).verdict is not None

    missing = file.missing(games)
    if not missing or is_decided():
        return
    pool = Processes(job, min(processes, len(missing)))
    try:
        for result in pool.play(map(contest.pairing, missing)):
            file.add(result)
            progress(result)
            if is_decided():
                return
    finally:
        pool.close()
