"""Measure learning environments on one core: `./dev bench learning`, beside those of PettingZoo that can be imported.

A match is played by random legal actions, with the observation of each decision, as a program that learns does. Each
figure is the best of many short rounds over the same matches, in CPU time; those of several processes are in wall time.
"""

import json
import platform
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from importlib import import_module
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np

import warroom_rl
from benchmarks.processes import cost_of
from warroom_games.registry import load_games

ROUNDS = 15
QUICK_ROUNDS = 3
SECONDS = 0.3
AT_ONCE = 32
PEERS = {"tictactoe": "tictactoe_v3", "connect_four": "connect_four_v3", "chess": "chess_v6"}
"""Those of PettingZoo's board games that are written in Python; they need pygame, and chess needs chess."""


class Measured(NamedTuple):
    """What one environment came to."""

    name: str
    kind: str
    steps_per_s: float
    numbers: int
    """The size of an observation."""
    actions: str
    own_us: float | None = None
    """CPU time of this process for each step of many matches at once, in microseconds."""
    busiest_us: float | None = None
    """CPU time of the busiest of the other processes for each step of all matches together."""


class Together(NamedTuple):
    """What many matches at once came to."""

    steps_per_s: float
    own_us: float
    busiest_us: float


def play(env: Any, seed: int, rng: Any) -> int:
    """Play one match at random; return the number of its steps."""
    env.reset(seed=seed)
    steps = 0
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        env.step(chosen(env, agent, observation["action_mask"], rng))
        steps += 1
    return steps


def chosen(env: Any, agent: str, mask: Any, rng: Any) -> Any:
    """Return a random legal action; of factors, one of those that are listed."""
    if isinstance(mask, tuple):
        legal = env.legal_actions(agent)
        return legal[rng.integers(len(legal))]
    legal = mask.nonzero()[0]
    return int(legal[rng.integers(len(legal))])


def steps_per_s(match: Callable[[int, Any], int], rounds: int) -> float:
    """Play as many matches as fit into a round, then the very same ones again and again; the best round counts."""
    match(0, np.random.default_rng(0))
    rng, start, played, steps = np.random.default_rng(0), time.process_time(), 0, 0
    while (best := time.process_time() - start) < SECONDS:
        steps += match(played, rng)
        played += 1
    for _ in range(rounds - 1):
        rng, start = np.random.default_rng(0), time.process_time()
        for number in range(played):
            match(number, rng)
        best = min(best, time.process_time() - start)
    return steps / best


def own(rounds: int) -> Iterator[Measured]:
    """Measure the environment of every game, alone and many at once."""
    for game in load_games().newest():
        env = warroom_rl.env(game)
        space, numbers = str(env.action_space("seat_0")), env.setting.views.size
        actions = space if space.startswith("Discrete") else f"{len(env.setting.actions.labels)} factors"
        yield Measured(game.info.id, "env", steps_per_s(partial(play, env), rounds), numbers, actions)
        for processes in (0, 1, 2):
            found = at_once(game.info.id, processes, rounds)
            yield Measured(
                game.info.id,
                f"{AT_ONCE} at once, {processes} processes",
                found.steps_per_s,
                numbers,
                actions,
                found.own_us,
                found.busiest_us,
            )


def at_once(game: str, processes: int, rounds: int) -> Together:
    """Play many matches together: the best steps a second, and the CPU time of all steps by process.

    A step of several processes takes as long as this one and the busiest other one together, if each has a core.
    """
    rng, clock = np.random.default_rng(0), time.perf_counter if processes else time.process_time
    with closing(warroom_rl.vector_env(game, AT_ONCE, processes=processes)) as envs:
        observed, _ = envs.reset(seed=0)
        best, total = 0.0, 0
        own_s, others_s = time.process_time(), [cost_of(pid).cpu_s for pid in envs.pids]
        for _ in range(rounds):
            start, steps = clock(), 0
            while (spent := clock() - start) < SECONDS:
                observed, *_ = envs.step(drawn(observed["action_mask"], rng))
                steps += AT_ONCE
            best, total = max(best, steps / spent), total + steps
        own_s = time.process_time() - own_s
        spent_s = [cost_of(pid).cpu_s - before for pid, before in zip(envs.pids, others_s, strict=True)]
    return Together(best, own_s / total * 1e6, max(spent_s, default=0.0) / total * 1e6)


def drawn(mask: Any, rng: Any) -> Any:
    """Return a random action for each row, each factor for itself."""
    if isinstance(mask, tuple):
        return np.stack([drawn(part, rng) for part in mask], axis=1)
    return (rng.random(mask.shape) * mask).argmax(axis=1)


def peers(rounds: int) -> Iterator[Measured]:
    """Measure PettingZoo's own environments that can be imported here."""
    for name, module in PEERS.items():
        try:
            env = import_module(f"pettingzoo.classic.{module}").env()
        except ImportError:
            continue
        env.reset(seed=0)
        agent = env.agents[0]
        size = int(np.prod(env.observation_space(agent)["observation"].shape))
        kind = f"PettingZoo {version('pettingzoo')}"
        yield Measured(name, kind, steps_per_s(partial(play, env), rounds), size, str(env.action_space(agent)))


def report(*, rounds: int, as_json: bool) -> None:
    """Measure everything and print a line for each environment as it comes."""
    if not as_json:
        print(f"Python {platform.python_version()}, best of {rounds} rounds of {SECONDS:g} s\n")
        print(f"{'environment':<16} {'':<26} {'steps/s':>9} {'CPU us/step':>14} {'numbers':>8}  actions")
    found = 0
    for measured in own(rounds):
        _print(measured, as_json=as_json)
    for measured in peers(rounds):
        found += 1
        _print(measured, as_json=as_json)
    if not found and not as_json:
        print("\nPettingZoo's own need pygame (and chess), which are not installed here.")


def _print(measured: Measured, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(measured._asdict()), flush=True)
        return
    name, kind, steps, numbers, actions, own_us, busiest_us = measured
    cpu = "" if own_us is None or busiest_us is None else f"{own_us:.1f} + {busiest_us:.1f}"
    print(f"{name:<16} {kind:<26} {steps:>9,.0f} {cpu:>14} {numbers:>8,}  {actions}", flush=True)
