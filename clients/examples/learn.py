"""Learn a small game by self-play with NumPy alone, and draw the curve; it needs `pip install 'warroom[rl]'`.

python learn.py GAME --matches 10000 --svg curve.svg

GAME is the id of an installed game, or `module:object`; its actions must have indices, as those of a small game have.
One network plays all seats of many matches at once, now and then a random move. It learns to expect the reward that a
move had at the end of its match (Monte-Carlo control), and plays the move of which it expects most. The curve shows its
mean reward against random moves.
"""

import argparse
import time
from collections.abc import Iterator
from contextlib import closing
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

try:
    import numpy as np
    from gymnasium.spaces import Discrete

    import warroom_rl
except ImportError as missing:
    raise SystemExit(f"{missing.name} is missing: pip install 'warroom[rl]'") from missing

AT_ONCE = 64
MATCHES_PER_UPDATE = 4
ROWS_PER_UPDATE = 256
REMEMBERED = 20_000
TESTED_MATCHES = 512
HIDDEN = 128
RATE = 0.003
CURIOSITY = 0.2
"""The share of moves in self-play that are random."""
WIDTH, HEIGHT, MARGIN = 640, 320, 48


class Decisions(NamedTuple):
    """Some decisions, one a row: what the seat knew, what it chose, and its reward at the end of the match."""

    observations: Any
    actions: Any
    rewards: Any


class Point(NamedTuple):
    """A point of the curve: the mean reward against random moves after so many matches."""

    matches: int
    reward: float


class Network:
    """Expects a reward from each action: one hidden layer, trained with Adam."""

    def __init__(self, inputs: int, actions: int, rng: Any) -> None:
        self._weights = {
            "hidden": rng.normal(0, inputs**-0.5, (inputs, HIDDEN)),
            "hidden_bias": np.zeros(HIDDEN),
            "action": rng.normal(0, 0.1 * HIDDEN**-0.5, (HIDDEN, actions)),
            "action_bias": np.zeros(actions),
        }
        self._means = {name: np.zeros_like(weight) for name, weight in self._weights.items()}
        self._squares = {name: np.zeros_like(weight) for name, weight in self._weights.items()}
        self._updates = 0

    def best(self, observations: Any, masks: Any) -> Any:
        """Return for each row the legal action of which it expects most."""
        _, expected = self._forward(observations)
        return np.where(masks == 1, expected, -np.inf).argmax(axis=1)

    def learn(self, decisions: Decisions) -> None:
        """Come nearer to expecting the rewards that these actions had."""
        observations, actions, rewards = decisions
        hidden, expected = self._forward(observations)
        rows = np.arange(len(actions))
        wrong = np.zeros_like(expected)
        wrong[rows, actions] = (expected[rows, actions] - rewards) * (1 - expected[rows, actions] ** 2)
        behind = (wrong @ self._weights["action"].T) * (hidden > 0)
        self._step(
            {
                "hidden": observations.T @ behind / len(rows),
                "hidden_bias": behind.mean(axis=0),
                "action": hidden.T @ wrong / len(rows),
                "action_bias": wrong.mean(axis=0),
            }
        )

    def _forward(self, observations: Any) -> tuple[Any, Any]:
        weights = self._weights
        hidden = np.maximum(observations @ weights["hidden"] + weights["hidden_bias"], 0)
        return hidden, np.tanh(hidden @ weights["action"] + weights["action_bias"])

    def _step(self, gradients: dict[str, Any]) -> None:
        self._updates += 1
        for name, gradient in gradients.items():
            self._means[name] += 0.1 * (gradient - self._means[name])
            self._squares[name] += 0.001 * (gradient**2 - self._squares[name])
            mean = self._means[name] / (1 - 0.9**self._updates)
            square = self._squares[name] / (1 - 0.999**self._updates)
            self._weights[name] -= RATE * mean / (np.sqrt(square) + 1e-8)


class Memory:
    """The latest decisions."""

    def __init__(self, inputs: int) -> None:
        self._kept = Decisions(
            np.zeros((REMEMBERED, inputs), np.float32), np.zeros(REMEMBERED, np.int64), np.zeros(REMEMBERED)
        )
        self._count = 0

    def add(self, decisions: Decisions) -> None:
        """Remember decisions in place of the oldest ones."""
        places = (self._count + np.arange(len(decisions.actions))) % REMEMBERED
        for kept, new in zip(self._kept, decisions, strict=True):
            kept[places] = new
        self._count += len(places)

    def some(self, rng: Any) -> Decisions:
        """Return random ones."""
        places = rng.integers(0, min(self._count, REMEMBERED), ROWS_PER_UPDATE)
        return Decisions(*(kept[places] for kept in self._kept))


def random_actions(masks: Any, rng: Any) -> Any:
    """Draw a legal action for each row."""
    return (rng.random(masks.shape) * masks).argmax(axis=1)


def self_play(envs: Any, network: Network, rng: Any, seed: int) -> Iterator[Decisions]:
    """Play for ever; yield the decisions of each match that ended."""
    observed, infos = envs.reset(seed=seed)
    open_matches: list[list[tuple[Any, int, int]]] = [[] for _ in range(envs.num_envs)]
    while True:
        views, masks, seats = observed["observation"], observed["action_mask"], infos["seat"]
        is_curious = rng.random(envs.num_envs) < CURIOSITY
        actions = np.where(is_curious, random_actions(masks, rng), network.best(views, masks))
        for row, decisions in enumerate(open_matches):
            decisions.append((views[row], actions[row], seats[row]))
        observed, _, terminated, truncated, infos = envs.step(actions)
        for row in (terminated | truncated).nonzero()[0]:
            known, chosen, movers = map(np.array, zip(*open_matches[row], strict=True))
            yield Decisions(known, chosen, infos["rewards"][row][movers])
            open_matches[row] = []


def tested(envs: Any, network: Network, rng: Any) -> float:
    """Return the mean reward of the network against random moves, with equal shares of all seats."""
    each = max(TESTED_MATCHES // envs.num_envs, 1)
    own = np.arange(envs.num_envs) % envs.setting.seats
    counts, total = np.zeros(envs.num_envs, int), 0.0
    observed, infos = envs.reset(seed=0)
    while (counts < each).any():
        masks = observed["action_mask"]
        best = network.best(observed["observation"], masks)
        actions = np.where(infos["seat"] == own, best, random_actions(masks, rng))
        observed, _, terminated, truncated, infos = envs.step(actions)
        counted = (terminated | truncated) & (counts < each)  # quick matches count no more than slow ones
        total += infos["rewards"][counted, own[counted]].sum()
        counts += counted
    return float(total / counts.sum())


def learn(game: str, matches: int, points: int, seed: int) -> Iterator[Point]:
    """Learn by playing so many matches; yield the points of the curve, the first one before any match."""
    rng = np.random.default_rng(seed)
    with (
        closing(warroom_rl.vector_env(game, AT_ONCE, processes=0)) as envs,
        closing(warroom_rl.vector_env(game, AT_ONCE, processes=0)) as tests,
    ):
        if not isinstance(envs.single_action_space, Discrete):
            raise warroom_rl.SetupError(f"the actions of {game} have factors; this example learns games with indices")
        inputs = envs.setting.views.size
        network, memory = Network(inputs, int(envs.single_action_space.n), rng), Memory(inputs)
        yield Point(0, tested(tests, network, rng))
        for played, decisions in enumerate(self_play(envs, network, rng, seed), 1):
            memory.add(decisions)
            if played % MATCHES_PER_UPDATE == 0:
                network.learn(memory.some(rng))
            if played % max(matches // points, 1) == 0:
                yield Point(played, tested(tests, network, rng))
            if played >= matches:
                return


def drawing(game: str, curve: list[Point]) -> str:
    """Return the curve as an SVG picture."""
    right, bottom = WIDTH - MARGIN, HEIGHT - MARGIN
    most = max(point.matches for point in curve) or 1

    def place(point: Point) -> tuple[float, float]:
        x = MARGIN + (right - MARGIN) * point.matches / most
        return x, bottom - (bottom - MARGIN) * (point.reward + 1) / 2

    lines = []
    for level in (-1, -0.5, 0, 0.5, 1):
        _, y = place(Point(0, level))
        lines.append(f'<line x1="{MARGIN}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{MARGIN - 8}" y="{y + 4:.1f}" text-anchor="end">{level:g}</text>')
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, curve))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
            'font-size="12"><rect width="100%" height="100%" fill="#fff"/>',
            f'<text x="{MARGIN}" y="24">{escape(game)}: mean reward against random moves</text>',
            *lines,
            f'<text x="{right}" y="{bottom + 20}" text-anchor="end">{most:,} matches of self-play</text>',
            f'<polyline points="{path}" fill="none" stroke="#06c" stroke-width="2"/></svg>',
        ]
    )


def main() -> None:
    """Learn, print each point of the curve as it comes, and draw it."""
    parser = argparse.ArgumentParser(description="learn a small game by self-play")
    parser.add_argument("game", help="the id of an installed game, or module:object")
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--points", type=int, default=20, help="how often to play against random moves")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the curve")
    arguments = parser.parse_args()
    start, curve = time.monotonic(), []
    try:
        for point in learn(arguments.game, arguments.matches, arguments.points, arguments.seed):
            curve.append(point)
            print(
                f"{point.matches:>8} matches  {time.monotonic() - start:>5.0f} s  reward {point.reward:+.2f}",
                flush=True,
            )
    except warroom_rl.SetupError as error:
        parser.error(str(error))
    if arguments.svg:
        arguments.svg.write_text(drawing(arguments.game, curve), encoding="utf-8")


if __name__ == "__main__":
    main()
