"""Runs a contest: plays the matches that have no result yet, and stops as soon as the question is answered."""

from collections.abc import Callable

from warroom_bots.arena.processes import Processes
from warroom_bots.arena.results import MatchResult, ResultsFile
from warroom_bots.arena.standings import Tested, sequential_test
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
) -> Tested | None:
    """Play the first *games* matches of a contest; return the sequential test, if one was asked for.

    Results are added to the file as they come. Which processes play does not matter to them.
    """
    contest = job.contest

    def tested() -> Tested | None:
        return None if sprt is None else sequential_test(contest, sprt, file.first(games))

    standing = tested()
    missing = [number for number in range(games) if number not in file.results]
    if not missing or (standing is not None and standing.verdict is not None):
        return standing
    pool = Processes(job, min(processes, len(missing)))
    try:
        for result in pool.play(map(contest.pairing, missing)):
            file.add(result)
            progress(result)
            standing = tested()
            if standing is not None and standing.verdict is not None:
                break
    finally:
        pool.close()
    return standing
