"""The processes of an arena: they play matches side by side, and are replaced when a bot hangs or ends one."""

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, ForkServerProcess
from time import monotonic
from typing import Final

from msgspec import Struct

from warroom_bots.arena.contest import Pairing
from warroom_bots.arena.move_board import MoveBoard, Thinking, shared_cells
from warroom_bots.arena.results import HANGS, VOID, Fault, MatchResult, names_of, ranked_last
from warroom_bots.arena.worker import Job, Task, work

POLL_S: Final = 0.1
"""How often the arena looks at its processes."""
LONGEST_POLL_S: Final = 0.5
"""Time counted between two looks, at most: while the arena itself was stopped, so were its bots."""
GRACE_S: Final = 1.0
"""Time for a process to interrupt its bot by itself, which says where the bot hangs."""
SERVER_S: Final = 120.0
"""How long a server may leave all bots of a match without a question."""
DUEL: Final = 2


class WorkerError(RuntimeError):
    """A process ended before it could play."""


class Processes:
    """A number of processes that play the matches of one job."""

    def __init__(self, job: Job, count: int) -> None:
        self._job = job
        # Processes are forked from one that has only imported Warroom: a bot finds the same start everywhere, and
        # another process is there in a few milliseconds.
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([work.__module__])
        self._workers = [_Worker(job, self._context) for _ in range(count)]

    def play(self, pairings: Iterable[Pairing]) -> Iterator[MatchResult]:
        """Play matches and yield each result as soon as it is there, in any order.

        Raise `WorkerError` if a process ends before its first match.
        """
        tasks = map(Task, pairings)
        again: deque[Task] = deque()
        busy: dict[_Worker, Task] = {}
        looked_s = monotonic()
        while True:
            for worker in self._workers:
                if worker not in busy and (task := again.popleft() if again else next(tasks, None)) is not None:
                    worker.send(task)
                    busy[worker] = task
            if not busy:
                return
            wait([worker.connection for worker in busy], timeout=POLL_S)
            passed_s, looked_s = min(monotonic() - looked_s, LONGEST_POLL_S), monotonic()
            for worker, task in list(busy.items()):
                answer = worker.look(passed_s)
                if answer is None:
                    continue
                del busy[worker]
                if isinstance(answer, MatchResult):
                    yield answer
                    continue
                self._replace(worker)
                outcome = self._stopped(task, answer) if isinstance(answer, Fault) else self._void(task, answer)
                if isinstance(outcome, MatchResult):
                    yield outcome
                else:
                    again.append(outcome)

    def _replace(self, worker: "_Worker") -> None:
        self._workers[self._workers.index(worker)] = _Worker(self._job, self._context)

    def close(self) -> None:
        """End all processes at once."""
        for worker in self._workers:
            worker.kill()

    def _void(self, task: Task, stop: "GameStop") -> MatchResult:
        """Return the result of a match that the game stopped: none."""
        pairing, reason = task.pairing, f"{VOID}{stop.reason}"
        return MatchResult(match=pairing.match, bots=names_of(self._job.contest, pairing.bots), ranks=(), reason=reason)

    def _stopped(self, task: Task, fault: Fault) -> MatchResult | Task:
        """Return the result of a match that a bot stopped, or the match to play again without that bot."""
        contest, pairing = self._job.contest, task.pairing
        if contest.seats == DUEL:
            ranks = ranked_last((1,) * DUEL, (fault.seat,))
            return MatchResult(
                match=pairing.match,
                bots=names_of(contest, pairing.bots),
                ranks=ranks,
                reason=fault.kind,
                faults=(fault,),
            )
        before = task.known.get(fault.seat)
        # With a time limit a match is never played twice in the same way; a bot that hangs again leaves at once.
        again = fault if before is None else Fault(fault.seat, fault.kind, 0, fault.detail)
        return Task(pairing, {**task.known, fault.seat: again})


class GameStop(Struct, frozen=True):
    """The game, or the server, stopped a match while no bot was thinking."""

    reason: str


class _Worker:
    """One process, and how long each of its bots has been thinking."""

    def __init__(self, job: Job, context: ForkServerContext) -> None:
        cells = shared_cells(context, job.contest.seats)
        self.connection: Connection[Task | None, MatchResult]
        self.connection, theirs = context.Pipe()
        self._board = MoveBoard(cells)
        self._most_s = job.contest.move_limit_ms / 1000
        self._grace_s = GRACE_S if job.url is None else 0.0
        self._thought_s: dict[Thinking, float] = {}
        self._rules_s = max(job.rules_s, self._most_s) if job.url is None else SERVER_S
        self._calls = 0
        """The calls at the last look."""
        self._still_s = 0.0
        """How long the rules have been at work."""
        self._process: ForkServerProcess = context.Process(target=work, args=(job, theirs, cells), daemon=True)
        self._process.start()
        theirs.close()

    def send(self, task: Task) -> None:
        """Let the process play a match."""
        with suppress(BrokenPipeError):  # `look` finds out why
            self.connection.send(task)

    def look(self, passed_s: float) -> MatchResult | Fault | GameStop | None:
        """Return the result if it is there, or the fault at which the process ended or had to be ended."""
        calls = self._board.thinking()
        try:
            if self.connection.poll():
                return self.connection.recv()
        except (EOFError, OSError) as error:
            return self._died(calls, error)
        self._thought_s = {call: self._thought_s.get(call, -passed_s) + passed_s for call in calls}
        for call, thought_s in self._thought_s.items():
            if thought_s > self._most_s + self._grace_s:
                self.kill()
                return Fault(call.seat, "hang", call.decision, f"no move within {self._most_s:g} s")
        return self._stalled(calls, passed_s)

    def _stalled(self, calls: Sequence[Thinking], passed_s: float) -> GameStop | None:
        """Return whether the rules took too long, which the process could not interrupt by itself; end it then."""
        known, self._calls = self._calls, self._board.calls
        is_still = not calls and 0 < known == self._calls
        self._still_s = self._still_s + passed_s if is_still else 0.0
        if self._still_s <= self._rules_s + self._grace_s:
            return None
        self.kill()
        return GameStop(f"{HANGS}: no step within {self._rules_s:g} s")

    def kill(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self.connection.close()

    def _died(self, calls: Sequence[Thinking], error: Exception) -> Fault | GameStop:
        self.kill()
        cause = f"the process ended with code {self._process.exitcode}"
        if not self._board.calls:
            raise WorkerError(f"{cause} before its first match") from error
        if not calls:
            return GameStop(f"{cause} while no bot was thinking")
        # Of several that think at once, on a server, the latest: a bot that ends its process mostly does so at once.
        return Fault(calls[0].seat, "died", calls[0].decision, cause)
