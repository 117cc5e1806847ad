"""Many matches at once as a Gymnasium vector environment, in one process or in several."""

import multiprocessing
import os
from collections.abc import Sequence
from itertools import pairwise
from multiprocessing.context import BaseContext
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from warroom_rl.batch import Arrays, Batch, Order, arrays_for
from warroom_rl.batch_process import BatchProcess, Request, Shared, attached, done
from warroom_rl.errors import LearningError, SetupError, StepError
from warroom_rl.seeds import checked

Observations = dict[str, Any]
Infos = dict[str, Any]


class MatchVectorEnv(VectorEnv):
    """A number of matches that take a step together; each step plays one action of one seat in every match.

    The observation is that of the seat to act, which `infos["seat"]` names. The reward is that of the seat that acted;
    `infos["rewards"]` has those of all seats. When a match ends, the next one begins in the same step, and
    `infos["final_obs"]` has the last observation of the seat that acted. What happens is the same for any number of
    processes.
    """

    def __init__(self, order: Order, num_envs: int, *, processes: int | None = None, context: str = "spawn") -> None:
        if num_envs < 1:
            raise SetupError(f"num_envs is at least 1, not {num_envs}")
        if processes is not None and processes < 0:
            raise SetupError(f"processes is at least 0, not {processes}")
        self.setting = order.setting()
        self._raises = order.illegal == "raise"
        order.episode(self.setting)  # refuses bad arguments here, not in a process
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = self.setting.observation_space()
        self.single_action_space = self.setting.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        count = min(usual_processes() if processes is None else processes, num_envs)
        self._is_running = False
        self._batch: Batch | None = None
        self._processes: list[BatchProcess] = []
        if count == 0:
            self._arrays = arrays_for(self.setting, num_envs, lambda shape, kind: np.zeros(shape, kind))
            self._batch = Batch(order, self.setting, self._arrays)
        else:
            self._arrays = self._start(order, count, context)

    @property
    def pids(self) -> tuple[int, ...]:
        """The ids of the processes, if there are any."""
        return tuple(process.pid for process in self._processes)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Begin all matches: row *i* plays the match of *seed* + *i*, then those that follow in its sequence."""
        self._play(seeds_for(seed, self.num_envs))
        self._is_running = True
        return self._observations(), self._infos()

    def step(
        self, actions: Any
    ) -> tuple[Observations, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Play an action in every match."""
        if not self._is_running:
            raise StepError("no match is running: call reset() first")
        arrays = self._arrays
        movers = arrays.seats.copy()
        arrays.actions[:] = self._checked(actions)
        if self._raises:
            self._play("check")
        self._play("step")
        rewards = arrays.rewards[np.arange(self.num_envs), movers]
        infos = self._infos()
        infos["rewards"] = arrays.rewards.copy()
        ended = arrays.terminations | arrays.truncations
        if ended.any():
            infos |= self._finals(ended)
        return self._observations(), rewards, arrays.terminations.copy(), arrays.truncations.copy(), infos

    def close_extras(self, **kwargs: Any) -> None:
        """End the processes."""
        self._is_running = False
        while self._processes:
            self._processes.pop().end()

    def __del__(self) -> None:
        if not self.closed and hasattr(self, "_processes"):
            self.close()

    def _start(self, order: Order, count: int, context: str) -> Arrays:
        """Start the processes, each with its share of the rows of arrays in shared memory."""
        chosen = context_of(context)
        memories: list[tuple[Any, tuple[int, ...], str]] = []

        def allocate(shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
            dtype = np.dtype(kind)
            memory = chosen.RawArray("b", int(np.prod(shape)) * dtype.itemsize)
            memories.append((memory, shape, dtype.str))
            return np.frombuffer(memory, dtype).reshape(shape)

        arrays_for(self.setting, self.num_envs, allocate)
        shared: Shared = tuple(memories)
        edges = [self.num_envs * part // count for part in range(count + 1)]
        self._rows = list(pairwise(edges))
        self._processes += [BatchProcess(chosen, order, shared, rows) for rows in self._rows]
        return attached(shared)

    def _play(self, request: Request) -> None:
        """Begin all matches or play a step. If that fails in one of them, end all: they are no longer in step."""
        if self.closed:
            raise StepError("the environment is closed")
        try:
            errors = [error for error in self._answers(request) if error is not None]
        except BaseException:
            self.close()
            raise
        if errors:
            if request != "check":
                self.close()
            raise errors[0]

    def _answers(self, request: Request) -> list[LearningError | None]:
        if self._batch is not None:
            return [done(self._batch, request)]
        for process, (start, stop) in zip(self._processes, self._rows, strict=True):
            process.ask(request if isinstance(request, str) else request[start:stop])
        return [process.wait() for process in self._processes]

    def _checked(self, actions: Any) -> NDArray[np.int64]:
        chosen = np.asarray(actions)
        if not np.issubdtype(chosen.dtype, np.integer) or chosen.shape != self._arrays.actions.shape:
            raise StepError(f"actions are whole numbers of the shape {self._arrays.actions.shape}, not {chosen.shape}")
        inside = self.setting.actions.holds(chosen)
        if not inside.all():
            row = int(inside.argmin())
            raise StepError(f"{chosen[row]} is not an action of match {row}: it is not in {self.single_action_space}")
        return chosen

    def _observations(self) -> Observations:
        arrays = self._arrays
        return {
            "observation": arrays.observations.copy(),
            "action_mask": self.setting.actions.shown(arrays.masks.copy()),
        }

    def _infos(self) -> Infos:
        return {"seat": self._arrays.seats.copy()}

    def _finals(self, ended: NDArray[np.bool_]) -> Infos:
        """Return the last observations of the matches that ended, as Gymnasium has them."""
        finals = np.full(self.num_envs, None, object)
        nothing = np.zeros(self.setting.actions.mask_size, np.int8)
        for row in ended.nonzero()[0]:
            finals[row] = {
                "observation": self._arrays.finals[row].copy(),
                "action_mask": self.setting.actions.shown(nothing),
            }
        return {"final_obs": finals, "_final_obs": ended}


def context_of(name: str) -> BaseContext:
    """Return the way in which processes start; raise `SetupError` if this system has none of that name."""
    if name not in (known := multiprocessing.get_all_start_methods()):
        raise SetupError(f"context is one of {', '.join(known)}, not {name!r}")
    return multiprocessing.get_context(name)


def usual_processes() -> int:
    """Return the number of processes to use by default: one for each core that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def seeds_for(seed: int | Sequence[int | None] | None, count: int) -> list[int | None]:
    """Return the seed of each match."""
    if seed is None:
        return [None] * count
    if isinstance(seed, Sequence):
        if len(seed) != count:
            raise SetupError(f"there are {count} matches, but {len(seed)} seeds")
        return [None if each is None else checked(each) for each in seed]
    return [checked(seed) + number for number in range(count)]
