"""Measure the rules on one core: `./dev bench rules`, or this file in an environment that has PettingZoo, too.

A match is played by random legal actions through the public contract alone: who is to act, what is legal, apply. Each
figure is the best of many short rounds over the same matches, in CPU time, which a busy machine disturbs least. Where
PettingZoo is installed, its connect_four and chess are stepped at random in the same run, as its own documents show.

The last two columns are the cost of `simulate()` as a multiple of the bare rules, for the same matches with the same
random draws: first with bots that only draw one of the legal actions, then with bots that read everything they see.
"""

import argparse
import cProfile
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from warroom_bots.api import Action, BotKind, Decision
from warroom_bots.random_bot import BOT as RANDOM
from warroom_bots.random_bot import RandomBot
from warroom_bots.simulation import simulate
from warroom_bots.table import Table
from warroom_games.api import AnyGame
from warroom_games.codec import decode_options
from warroom_games.registry import load_games
from warroom_games.rng import KEY_BYTES, Rng

ROUNDS = 25
QUICK_ROUNDS = 5
SECONDS = 0.2
PROFILE_SECONDS = 5.0
WARM_UP_MATCHES = 2
RIVALS = {"connect_four": "connect_four_v3", "chess": "chess_v6"}
PROFILE_LINES = 12


class Measured(NamedTuple):
    """What one game came to."""

    game: str
    seats: int
    actions_per_s: float
    matches_per_s: float
    actions_per_match: float
    listed_per_action: float
    """How many legal actions there were to choose from, on average."""
    simulated: float | None = None
    """The cost of `simulate()` with random bots, as a multiple of the bare rules."""
    read: float | None = None
    """The same with random bots that read all views and legal actions."""


class Tally(NamedTuple):
    """What some matches amounted to."""

    actions: int
    listed: int


def choices() -> Iterator[int]:
    """Yield a fixed stream of numbers to choose by, cheap enough not to be measured."""
    number = 1
    while True:
        number = number * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        yield number >> 33


def play(game: AnyGame, number: int, chosen: Iterator[int]) -> Tally:
    """Play one random match to its end at the usual table."""
    coins = Rng(number.to_bytes(KEY_BYTES, "big"))
    state = game.setup(game.info.usual_seats, decode_options(game, {}), coins)
    actions = listed = 0
    while asked := game.to_act(state):
        seat = min(asked)
        legal = list(game.legal_actions(state, seat))
        state = game.apply(state, seat, legal[next(chosen) % len(legal)]).state
        actions += 1
        listed += len(legal)
    return Tally(actions, listed)


class Reader(RandomBot):
    """Draws one of the legal actions after it has read them all, and the views."""

    def choose(self, decision: Decision) -> Action:
        """Return any legal action."""
        assert decision.public is not None or decision.private is not None
        action, self._rng = self._rng.choice(decision.legal)
        return action


READER = BotKind(name="reader", game=None, summary="reads everything", make=Reader)


def play_as_bots(game: AnyGame, number: int) -> int:
    """Play the match that `simulate()` plays with random bots, by the rules alone; return its number of actions."""
    table = Table(game, game.info.usual_seats, seed=str(number))
    generators = [table.generator(seat) for seat in range(table.seats)]
    state, actions = table.state, 0
    while asked := game.to_act(state):
        seat = min(asked)
        action, generators[seat] = generators[seat].choice(list(game.legal_actions(state, seat)))
        state = game.apply(state, seat, action).state
        actions += 1
    return actions


def overhead(game: AnyGame, rounds: int) -> tuple[float, float]:
    """Return the costs of `simulate()` with random bots, and with reading ones, as multiples of the bare rules."""

    def simulated(number: int, bot: BotKind) -> int:
        return len(simulate(game, [bot] * game.info.usual_seats, seed=str(number)).moves)

    ways: list[Callable[[int], int]] = [
        partial(play_as_bots, game),
        partial(simulated, bot=RANDOM),
        partial(simulated, bot=READER),
    ]
    matches, start = 0, time.process_time()
    while time.process_time() - start < SECONDS:
        if len({way(matches) for way in ways}) != 1:
            raise AssertionError(f"match {matches} of {game.info.id} differs")
        matches += 1
    best = [float("inf")] * len(ways)
    for _ in range(rounds):
        for place, way in enumerate(ways):
            start = time.process_time()
            for number in range(matches):
                way(number)
            best[place] = min(best[place], time.process_time() - start)
    return best[1] / best[0], best[2] / best[0]


def step(environment: Any, number: int, chosen: Iterator[int]) -> Tally:
    """Step one random match of a PettingZoo environment to its end."""
    environment.reset(seed=number)
    actions = listed = 0
    for _ in environment.agent_iter():
        observation, _, is_over, is_cut, _ = environment.last()
        if is_over or is_cut:
            environment.step(None)
            continue
        legal = observation["action_mask"].nonzero()[0]
        environment.step(int(legal[next(chosen) % len(legal)]))
        actions += 1
        listed += len(legal)
    return Tally(actions, listed)


def measure(name: str, seats: int, match: Callable[[int, Iterator[int]], Tally], rounds: int) -> Measured:
    """Play as many matches as fit into a round, then the very same ones again and again; the best round counts."""
    played, tally, spent = _first_round(match)
    best = spent
    for _ in range(rounds - 1):
        chosen, start = choices(), time.process_time()
        for number in range(played):
            match(number, chosen)
        best = min(best, time.process_time() - start)
    actions = tally.actions
    return Measured(name, seats, actions / best, played / best, actions / played, tally.listed / actions)


def _first_round(match: Callable[[int, Iterator[int]], Tally]) -> tuple[int, Tally, float]:
    for number in range(WARM_UP_MATCHES):
        match(number, choices())
    chosen, start = choices(), time.process_time()
    played, total = 0, Tally(0, 0)
    while (spent := time.process_time() - start) < SECONDS:
        tally = match(played, chosen)
        played, total = played + 1, Tally(total.actions + tally.actions, total.listed + tally.listed)
    return played, total, spent


def rules_of_warroom(rounds: int, extra: Sequence[str]) -> Iterator[Measured]:
    """Measure every registered game, and those that *extra* names as `module:object`."""
    for game in load_games(extra).newest():
        measured = measure(game.info.id, game.info.usual_seats, partial(play, game), rounds)
        simulated, read = overhead(game, rounds)
        yield measured._replace(simulated=simulated, read=read)


def rules_of_others(rounds: int) -> Iterator[Measured]:
    """Measure PettingZoo's environments, if they are installed."""
    if find_spec("pettingzoo") is None:
        return
    for name, module in RIVALS.items():
        environment = import_module(f"pettingzoo.classic.{module}").env()
        yield measure(f"PettingZoo {version('pettingzoo')} {name}", 2, partial(step, environment), rounds)


def profile(name: str, seconds: float) -> None:
    """Print where the time of one game goes, by the functions' own share of it."""
    game, profiler, chosen = load_games().get(name), cProfile.Profile(), choices()
    end, number, actions = time.process_time() + seconds, 0, 0
    while time.process_time() < end:
        actions += profiler.runcall(play, game, number, chosen).actions
        number += 1
    profiler.create_stats()
    entries = sorted(profiler.stats.items(), key=lambda entry: -entry[1][2])
    total = sum(own for _, (_, _, own, _, _) in entries)
    print(f"{name}: {actions:,} actions of {number} matches\n\nown time  with calls  calls/action  function")
    for (file, _, function), (_, calls, own, whole, _) in entries[:PROFILE_LINES]:
        place = function if file == "~" else f"{Path(file).name} {function}"
        print(f"{own / total:>8.1%}  {whole / total:>10.1%}  {calls / actions:>12.2f}  {place}")


def report(*, rounds: int, as_json: bool, extra: Sequence[str] = ()) -> None:
    """Measure everything and print a line for each game as it comes."""
    if not as_json:
        print(f"Python {platform.python_version()}, best of {rounds} rounds of {SECONDS:g} s of CPU time, one core\n")
        print(
            f"{'game':<34} {'seats':>5} {'actions/s':>10} {'matches/s':>10} {'actions/match':>14} {'listed/action':>14}"
            f" {'simulate':>9} {'reading':>8}"
        )
    for measured in chain(rules_of_warroom(rounds, extra), rules_of_others(rounds)):
        print(json.dumps(measured._asdict()) if as_json else _line(measured), flush=True)
    if find_spec("pettingzoo") is None and not as_json:
        print("\nPettingZoo is not installed here; docs/PERFORMANCE.md shows how to measure it in the same run.")


def _line(measured: Measured) -> str:
    game, seats, actions, matches, length, listed, *ratios = measured
    line = f"{game:<34} {seats:>5} {actions:>10,.0f} {matches:>10,.1f} {length:>14,.0f} {listed:>14,.1f}"
    simulated, read = ("-" if ratio is None else f"{ratio:.2f}" for ratio in ratios)
    return f"{line} {simulated:>9} {read:>8}"


def main() -> int:
    """Measure, or show a profile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a fifth of the time")
    parser.add_argument("--json", action="store_true", help="one JSON object a game")
    parser.add_argument("--game", action="append", default=[], metavar="MODULE:OBJECT", help="measure this game, too")
    parser.add_argument("--profile", metavar="GAME", help="show where the time of one game goes instead")
    arguments = parser.parse_args()
    if arguments.profile:
        profile(arguments.profile, PROFILE_SECONDS)
    else:
        report(rounds=QUICK_ROUNDS if arguments.quick else ROUNDS, as_json=arguments.json, extra=arguments.game)
    return 0


if __name__ == "__main__":
    sys.exit(main())
