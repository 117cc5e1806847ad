"""Runs the bots of a worker: fast ones in its loop, slow ones in low-priority processes.

A slow bot is sent to its process and returned with what it learnt, so each decision may use another process.
"""

import asyncio
import logging
import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from statistics import median
from time import monotonic, perf_counter, thread_time
from typing import Final, NoReturn

# Other processes import bots from files by the finder of this module, so it must be there before they unpickle one.
import warroom_bots.bot_files  # noqa: F401
from warroom_bots.api import Action, Bot, BotKind, Decision

SLOW_S: Final = 0.003
"""Bots with a longer average run in a process."""
SHARE: Final = 0.5
"""Share of the remaining turn that a bot may use; the rest covers the transfer."""
LONGEST_S: Final = 10.0
"""Maximum executor time, however long the turn is."""
HUNG_S: Final = 10.0
"""Grace period after a bot's time before the processes are replaced."""
IN_LOOP_S: Final = 1.0
"""CPU time after which a bot in the loop is interrupted: it hangs, and all other seats wait."""
NICE: Final = 10
LEARNS: Final = 0.2
"""Weight of the last decision in the average CPU time."""
WATCHED: Final = 7
"""Number of decisions whose median time counts."""
UNPICKLABLE: Final = (pickle.PickleError, TypeError, AttributeError, ValueError, NotImplementedError, RecursionError)
"""What pickle raises for generators, open files, local classes and the like."""

logger = logging.getLogger(__name__)


class _Pace:
    """How long a kind of bot takes."""

    def __init__(self) -> None:
        self._cpu_s: float | None = None
        self._passed_s: deque[float] = deque(maxlen=WATCHED)

    def learn(self, passed_s: float, cpu_s: float) -> None:
        """Note the time that passed during a decision, and the CPU time that it took."""
        self._cpu_s = cpu_s if self._cpu_s is None else self._cpu_s + LEARNS * (cpu_s - self._cpu_s)
        self._passed_s.append(passed_s)

    @property
    def is_slow(self) -> bool:
        """Whether the bot computes for long, or usually waits for something.

        On a busy machine much time may pass in a single decision of a quick bot.
        """
        if self._cpu_s is not None and self._cpu_s > SLOW_S:
            return True
        return len(self._passed_s) == WATCHED and median(self._passed_s) > SLOW_S


class BotExecutor:
    """Lets the bots of many seats choose without blocking the loop for long.

    A patient one gives bots as much time as they take wherever no clock runs.
    """

    def __init__(self, processes: int, *, is_patient: bool = False) -> None:
        self._processes = processes
        self._is_patient = is_patient
        self._pool: ProcessPoolExecutor | None = None
        self._warm_up: Future[int] | None = None
        """Done once the first process runs."""
        self._paces: dict[tuple[str | None, str], _Pace] = {}
        """The time per decision, by bot."""
        self._unsendable: set[tuple[str | None, str]] = set()
        """Bots that cannot be pickled; they choose in the loop, however slow they are."""

    async def choose(self, kind: BotKind, bot: Bot, decision: Decision, left_s: float | None) -> tuple[Bot, Action]:
        """Return the bot and its choice; raise `TimeoutError` if there is none within the rest of the turn.

        The same happens when the processes are replaced, even because of another seat's bot.
        """
        name = (kind.game, kind.name)
        pace = self._paces.setdefault(name, _Pace())
        is_slow = kind.is_slow or pace.is_slow
        is_unlimited = self._is_patient and left_s is None
        # While the first process starts, a fast bot is better off here.
        if is_slow and name not in self._unsendable and (self._is_ready() or kind.is_slow):
            within_s = LONGEST_S if left_s is None else min(left_s * SHARE, LONGEST_S)
            try:
                return await self._choose_beside(bot, decision, None if is_unlimited else within_s)
            except Exception as error:
                # Either the bot failed in its process, or it could not be sent there.
                reason = None if isinstance(error, TimeoutError) else _why_unsendable(bot)
                if reason is None:
                    raise
                self._unsendable.add(name)
                logger.warning("bot stays in the loop game=%s bot=%s reason=%r", kind.game, kind.name, reason)
        # An interrupted bot may be half changed, so a copy of it thinks again, beside the loop.
        copy = _pickled(bot) if is_unlimited and name not in self._unsendable else None
        began_s, began_cpu_s = perf_counter(), thread_time()
        try:
            if is_unlimited and copy is None:
                return bot, bot.choose(decision)
            return bot, choose_interruptibly(bot, decision, IN_LOOP_S)
        except TimeoutError:
            if copy is None:
                raise
        finally:
            pace.learn(perf_counter() - began_s, thread_time() - began_cpu_s)
        return await self._choose_beside(pickle.loads(copy), decision, None)

    def close(self) -> None:
        """End the processes at once."""
        pool, self._pool, self._warm_up = self._pool, None, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.kill()

    def _is_ready(self) -> bool:
        """Whether a process is ready; start one if there is none."""
        self._start()
        return self._warm_up is not None and self._warm_up.done()

    def _start(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = _new_pool(self._processes)
            self._warm_up = self._pool.submit(os.getpid)
        return self._pool

    async def _choose_beside(self, bot: Bot, decision: Decision, within_s: float | None) -> tuple[Bot, Action]:
        pool = self._start()
        try:
            thought = pool.submit(_think, bot, decision, None if within_s is None else monotonic() + within_s)
            # Only the pool may cancel its work: a pool that finds a cancelled item while it breaks down hangs.
            # Abandoned work is skipped when its turn comes.
            waited = asyncio.wrap_future(thought)
            waited.add_done_callback(_take_note)
            if not (await asyncio.wait((waited,), timeout=within_s))[0]:
                asyncio.get_running_loop().call_later(HUNG_S, self._replace_if_hung, pool, thought)
                raise TimeoutError("no choice in time")
            return waited.result()
        except BrokenExecutor as broken:
            if pool is self._pool:
                logger.warning("a bot process died")
                self.close()
            raise TimeoutError("the process is gone") from broken
        except asyncio.CancelledError as cancelled:
            # Queued work is cancelled with its pool; the waiting seat continues.
            if _is_being_cancelled():
                raise
            raise TimeoutError("the process is gone") from cancelled

    def _replace_if_hung(self, pool: ProcessPoolExecutor, thought: "Future[tuple[Bot, Action]]") -> None:
        if pool is self._pool and thought.running():
            logger.warning("a bot exceeded its time; its process is replaced")
            self.close()


def choose_interruptibly(bot: Bot, decision: Decision, within_s: float) -> Action:
    """Let a bot choose; interrupt its Python code with `TimeoutError` after so much CPU time of this process.

    Only the main thread can be interrupted; elsewhere the bot is trusted.
    """
    if threading.current_thread() is not threading.main_thread():
        return bot.choose(decision)
    previous = signal.signal(signal.SIGVTALRM, _interrupt)
    try:
        # It repeats, because the bot may catch the first interrupt.
        signal.setitimer(signal.ITIMER_VIRTUAL, within_s, within_s)
        return bot.choose(decision)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)


def _interrupt(_: int, __: object) -> NoReturn:
    raise TimeoutError("no choice in time")


def _pickled(bot: Bot) -> bytes | None:
    """Return a bot as it is sent to another process, or None if it cannot be."""
    try:
        return pickle.dumps(bot)
    except UNPICKLABLE:
        return None


def _why_unsendable(bot: Bot) -> str | None:
    """Return why a bot cannot be sent to another process, or None."""
    try:
        pickle.dumps(bot)
    except UNPICKLABLE as error:
        return f"{type(error).__name__}: {error}"
    return None


def _is_being_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _new_pool(processes: int) -> ProcessPoolExecutor:
    # Spawn instead of fork: a copied loop with threads is unsafe.
    fresh = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, mp_context=fresh, initializer=_settle_in)


def _settle_in() -> None:
    """Lower the priority of the process, and exit with the worker."""
    os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_worker, daemon=True).start()


def _end_with_worker() -> None:
    worker = multiprocessing.parent_process()
    assert worker is not None, "only a child process may call this"
    worker.join()
    os._exit(0)


def _take_note(thought: "asyncio.Future[tuple[Bot, Action]]") -> None:
    """Retrieve the outcome, so that abandoned work does not log an unretrieved error."""
    if not thought.cancelled():
        thought.exception()


def _think(bot: Bot, decision: Decision, until_s: float | None) -> tuple[Bot, Action]:
    if until_s is not None and monotonic() > until_s:
        raise TimeoutError("no choice in time")
    action = bot.choose(decision)
    return bot, action
