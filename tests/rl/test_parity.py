"""The same seed plays the same match in a room, in the simulator and in an environment, step by step."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from learned_games import LIARS_DICE, SEALED_BIDS
from msgspec import Struct
from room_table import Table, only
from strict_viewer import Viewer

import warroom_rl
from warroom_bots.api import Action, Bot, BotKind, Decision
from warroom_bots.simulation import simulate
from warroom_games.api import AnyGame, Result
from warroom_games.codec import decode_action, encode
from warroom_games.registry import load_games
from warroom_games.rng import Rng, derived_key
from warroom_protocol import messages as wire
from warroom_protocol.canonical import plain
from warroom_rl.view_layout import ViewWriter
from warroom_server.room import commands
from warroom_server.room.viewer_addresses import Local

GAMES = [*load_games().newest(), SEALED_BIDS, LIARS_DICE]


class Played(Struct):
    """A decision in the simulator and what was chosen."""

    decision: Decision
    action: Action


class Recorder:
    """A bot that plays at random and records what it saw."""

    def __init__(self, rng: Rng, log: list[Played]) -> None:
        self._rng, self._log = rng, log

    def choose(self, decision: Decision) -> Action:
        action, self._rng = self._rng.choice(decision.legal)
        self._log.append(Played(decision, action))
        return action


def simulated(game: AnyGame, seats: int, seed: int) -> tuple[list[Played], Result]:
    """Play a match in the simulator; return its decisions and its result."""
    log: list[Played] = []

    def recorder(rng: Rng) -> Bot:
        return Recorder(rng, log)

    kind = BotKind(name="recorder", game=None, summary="records", make=recorder)
    match = simulate(game, [kind] * seats, seed=str(seed)).match
    assert match.result is not None
    return log, match.result


def in_an_environment(game: AnyGame, seats: int, seed: int, log: list[Played]) -> dict[str, Any]:
    """Play the same actions in an environment; assert that each step is the same, and return how it ended."""
    env = warroom_rl.env(game, seats=seats)
    env.reset(seed=seed)
    actions = env.setting.actions
    for played in log:
        decision, agent = played.decision, f"seat_{played.decision.seat}"
        assert env.agent_selection == agent
        # The array of the environment is updated step by step, this one is written afresh from the plain views.
        assert np.array_equal(env.observe(agent)["observation"], written(env.setting, decision, env))
        assert [plain(actions.decode(point)) for point in env.legal_actions(agent)] == list(decision.legal)
        env.step(actions.encode(decode_action(game, encode(played.action))))
    assert env.agents
    assert all(env.terminations[agent] or env.truncations[agent] for agent in env.agents)
    return {"infos": env.infos, "rewards": env.rewards}


def written(setting: Any, decision: Decision, env: Any) -> Any:
    writer = ViewWriter(setting.views)
    asked = [seat for seat, agent in enumerate(env.possible_agents) if len(env.legal_actions(agent))]
    writer.write_public(decision.public, asked)
    return writer.observation(decision.seat, decision.private)


def in_a_room(game: AnyGame, seats: int, seed: int, log: list[Played]) -> Result:
    """Play the same actions in a room; assert that each seat's client sees the same, and return the result."""
    table = Table.playing(game, seats, seed=derived_key(str(seed), "match"), turn_ms=3_600_000)
    mirrors = [Viewer() for _ in range(seats)]
    for step, played in enumerate(log):
        seat = played.decision.seat
        for at, mirror in enumerate(mirrors):
            for payload in table.payloads.pop(at, []):
                mirror.receive(payload)
        assert (mirrors[seat].public, mirrors[seat].private) == (played.decision.public, played.decision.private)
        assert listed(table, seat, step) == played.decision.legal
        assert only(table.act(seat, played.action).sent(seat), wire.Verdict).code is None
    result = table.room.match.result
    assert result is not None
    return result


def listed(table: Table, seat: int, ref: int) -> tuple[Any, ...]:
    """Return the legal actions that the room tells a seat."""
    actions = only(table.tell(commands.Legal(Local(seat), ref)).sent(seat), wire.LegalList).actions
    assert actions is not None
    return actions


def matches(game: AnyGame, count: int) -> Iterator[tuple[int, int]]:
    """Yield numbers of seats and seeds."""
    spread = game.info.max_seats - game.info.min_seats + 1
    yield from ((game.info.min_seats + seed % spread, seed) for seed in range(count))


def compare(game: AnyGame, count: int) -> None:
    for seats, seed in matches(game, count):
        log, result = simulated(game, seats, seed)
        ended = in_an_environment(game, seats, seed, log)
        assert [info["rank"] for info in ended["infos"].values()] == list(result.ranks)
        assert in_a_room(game, seats, seed, log) == result


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_a_room_the_simulator_and_an_environment_play_the_same_match(game: AnyGame) -> None:
    compare(game, 1)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_they_play_the_same_matches_with_any_number_of_seats(game: AnyGame) -> None:
    compare(game, 10)
