"""Environments: seeds, rewards, ends, illegal actions, pictures, and readable errors."""

import subprocess
import sys
from contextlib import closing
from typing import Any

import msgspec
import numpy as np
import pytest
import sealed_bids
from learned_games import LIARS_DICE, SEALED_BIDS
from sealed_bids import Bid, Peek

import warroom_rl
from warroom_games.registry import load_games
from warroom_rl import LearningError, SetupError, StepError
from warroom_rl.action_spaces import FactoredActions
from warroom_rl.rewards import rewards


def finished(env: Any, seed: int, choice: int = 0) -> Any:
    """Play listed actions to the end; return the environment."""
    env.reset(seed=seed)
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        legal = env.legal_actions(env.agent_selection)
        env.step(legal[choice % len(legal)])
    return env


class TestRewards:
    @pytest.mark.parametrize(
        ("ranks", "expected"),
        [
            ((1, 2), (1, -1)),
            ((1, 1), (0, 0)),
            ((2, 1, 3), (0, 1, -1)),
            ((1, 1, 3), (0.5, 0.5, -1)),
            ((1, 2, 2, 4), (1, -1 / 3 + 1 / 3, 0, -1)),
            ((1,), (0,)),
            ((), ()),
        ],
    )
    def test_a_reward_is_the_share_beaten_minus_the_share_that_won(self, ranks: Any, expected: Any) -> None:
        assert rewards(ranks) == expected

    def test_the_rewards_of_a_match_add_up_to_nothing(self) -> None:
        env = finished(warroom_rl.env(SEALED_BIDS, seats=4), seed=5)
        assert sum(env.rewards.values()) == pytest.approx(0)
        assert {agent: info["rank"] for agent, info in env.infos.items()} == dict(
            zip(
                env.agents,
                [1 + sum(other > mine for other in env.rewards.values()) for mine in env.rewards.values()],
                strict=True,
            )
        )


class TestSeeds:
    @staticmethod
    def opening(env: Any) -> bytes:
        return bytes(env.observe("seat_0")["observation"].tobytes())

    def test_a_seed_and_those_that_follow_it_are_the_same_again(self) -> None:
        env, other = warroom_rl.env(SEALED_BIDS), warroom_rl.env(SEALED_BIDS)
        openings: list[list[bytes]] = [[], []]
        other.reset(seed=4)
        for found, each in zip(openings, (env, other), strict=True):
            for seed in (7, None, None):
                each.reset(seed=seed)
                found.append(self.opening(each))
        assert openings[0] == openings[1]
        assert len(set(openings[0])) == 3

    def test_without_a_seed_each_environment_plays_its_own_matches(self) -> None:
        openings = set()
        for _ in range(3):
            env = warroom_rl.env(SEALED_BIDS)
            env.reset()
            openings.add(self.opening(env))
        assert len(openings) == 3

    @pytest.mark.parametrize("seed", [-1, 1.5, "seven"])
    def test_what_is_no_seed_is_refused(self, seed: Any) -> None:
        with pytest.raises(SetupError, match="a seed is a whole number from 0"):
            warroom_rl.env(SEALED_BIDS).reset(seed=seed)


class TestEnds:
    def test_a_result_terminates_and_a_cap_of_the_game_truncates(self) -> None:
        won = finished(warroom_rl.env(SEALED_BIDS), seed=1)
        assert (set(won.terminations.values()), set(won.truncations.values())) == ({True}, {False})
        capped = finished(warroom_rl.env("strata", options={"max_turns": 2}), seed=1)
        assert (set(capped.terminations.values()), set(capped.truncations.values())) == ({False}, {True})
        assert capped.infos["seat_0"]["reason"] == "cap"

    def test_max_steps_truncates_without_a_reward(self) -> None:
        env = finished(warroom_rl.env("graph_battle", max_steps=3), seed=1)
        assert set(env.truncations.values()) == {True}
        assert set(env.rewards.values()) == {0}
        assert set(map(str, env.infos.values())) == {"{}"}

    def test_agents_that_are_done_step_with_none_and_go(self) -> None:
        env = finished(warroom_rl.env(SEALED_BIDS), seed=1)
        with pytest.raises(ValueError, match="None"):
            env.step(0)
        for agent in env.agent_iter():
            assert env.last()[1] == pytest.approx(env._cumulative_rewards[agent])
            env.step(None)
        assert env.agents == []

    def test_the_mask_of_a_seat_that_is_not_to_act_is_empty(self) -> None:
        env = warroom_rl.env("graph_battle")
        env.reset(seed=1)
        waiting = next(agent for agent in env.agents if agent != env.agent_selection)
        assert not env.observe(waiting)["action_mask"].any()
        assert len(env.legal_actions(waiting)) == 0


class TestIllegalActions:
    @staticmethod
    def spent(env: Any) -> int:
        """Return an index that is not legal at the start."""
        env.reset(seed=1)
        return int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])

    def test_an_illegal_index_loses(self) -> None:
        env = warroom_rl.env(SEALED_BIDS, seats=3)
        env.step(self.spent(env))
        assert list(env.rewards.values()) == [-1, 0, 0]
        assert set(env.terminations.values()) == {True}
        assert [info["illegal"] for info in env.infos.values()] == [True, False, False]

    def test_nobody_is_to_act_after_it(self) -> None:
        offended, cut = warroom_rl.env(SEALED_BIDS, seats=2), warroom_rl.env(SEALED_BIDS, seats=2, max_steps=1)
        offended.step(self.spent(offended))
        cut.reset(seed=1)
        cut.step(cut.legal_actions("seat_0")[0])
        for env in (offended, cut):
            for agent in env.agents:
                observed = env.observe(agent)
                assert not observed["action_mask"].any()
                assert observed["observation"][2:4].tolist() == [0, 0]

    def test_it_may_raise_instead_and_nothing_happens(self) -> None:
        env = warroom_rl.env(SEALED_BIDS, illegal="raise")
        index = self.spent(env)
        before = env.state()
        with pytest.raises(StepError, match=r"seat 0 cannot play \d+: card \d+ is not in your hand"):
            env.step(index)
        assert np.array_equal(env.state(), before)
        env.step(env.legal_actions("seat_0")[0])

    def test_with_factors_the_nearest_legal_action_is_played(self) -> None:
        env, twin = (warroom_rl.env("tile_blitz", seats=2) for _ in range(2))
        env.reset(seed=1)
        twin.reset(seed=1)
        legal = twin.legal_actions(twin.agent_selection)
        vector = legal[0].copy()
        vector[1:] = 0
        actions = twin.setting.actions
        assert isinstance(actions, FactoredActions)
        env.step(vector)
        twin.step(actions.nearest(vector, legal))
        assert np.array_equal(env.state(), twin.state())

    def test_a_legal_action_that_is_not_listed_is_played_as_it_is(self) -> None:
        env = warroom_rl.env("thardferr", seats=2, options={"race_1": "human", "race_2": "orc"})
        env.reset(seed=1)
        actions = env.setting.actions
        listed = [actions.decode(point) for point in env.legal_actions("seat_0")]
        sale = next(action for action in listed if type(action).__name__ == "Sell" and action.count > 2)
        fewer = type(sale)(sale.good, sale.count - 1)
        assert fewer not in listed
        env.step(actions.encode(fewer))
        stores = [env._episode.state.kingdoms[0].stores]
        env.reset(seed=1)
        env.step(actions.encode(sale))
        stores.append(env._episode.state.kingdoms[0].stores)
        assert getattr(stores[0], sale.good) == getattr(stores[1], sale.good) + 1

    def test_what_is_not_in_the_space_is_never_played(self) -> None:
        for game in ("graph_battle", "tile_blitz"):
            env = warroom_rl.env(game)
            env.reset(seed=1)
            with pytest.raises(StepError, match="is not an action"):
                env.step(10**6)


class TestParallel:
    def test_all_seats_move_in_one_step(self) -> None:
        env = warroom_rl.parallel_env(SEALED_BIDS, seats=3)
        env.reset(seed=1)
        encode = env.setting.actions.encode
        steps = 0
        while env.agents:
            ended = env.step({agent: env.legal_actions(agent)[0] for agent in env.agents})
            steps += 1
        assert steps == sealed_bids.Options().rounds
        observations, final, terminations, truncations, infos = ended
        assert set(observations) == {"seat_0", "seat_1", "seat_2"}
        assert sum(final.values()) == pytest.approx(0)
        assert (set(terminations.values()), set(truncations.values())) == ({True}, {False})
        assert {info["reason"] for info in infos.values()} == {"victory"}
        assert encode(Peek()) == 20

    def test_who_has_moved_waits_for_who_looks_first(self) -> None:
        env = warroom_rl.parallel_env(SEALED_BIDS, seats=2)
        env.reset(seed=1)
        peek, lowest = env.setting.actions.encode(Peek()), env.legal_actions("seat_1")[0]
        observations, *_ = env.step({"seat_0": peek, "seat_1": lowest})
        assert observations["seat_0"]["action_mask"].any()
        assert not observations["seat_1"]["action_mask"].any()
        assert len(env.step({"seat_0": env.legal_actions("seat_0")[0]})[0]) == 2

    @pytest.mark.parametrize(
        ("action", "illegal", "said"),
        [
            pytest.param(None, "lose", "seat_1 is to act, but there is no action of it", id="missing"),
            pytest.param(99, "lose", "99 is not an action", id="not in the space"),
            pytest.param("illegal", "raise", "seat 1 cannot play", id="illegal"),
        ],
    )
    def test_a_wrong_action_of_one_agent_is_refused_and_nothing_happens(
        self, action: Any, illegal: Any, said: str
    ) -> None:
        env = warroom_rl.parallel_env(SEALED_BIDS, seats=2, illegal=illegal)
        env.reset(seed=1)
        before = env.state()
        actions = {"seat_0": env.legal_actions("seat_0")[0], "seat_1": action}
        if action == "illegal":
            actions["seat_1"] = env.observe("seat_1")["action_mask"].argmin()
        with pytest.raises(StepError, match=said):
            env.step({agent: chosen for agent, chosen in actions.items() if chosen is not None})
        assert np.array_equal(env.state(), before)

    def test_it_plays_the_matches_of_the_other_kind_of_environment(self) -> None:
        aec, parallel = warroom_rl.env(SEALED_BIDS), warroom_rl.parallel_env(SEALED_BIDS)
        finished(aec, seed=3)
        parallel.reset(seed=3)
        while parallel.agents:
            ended = parallel.step({agent: parallel.legal_actions(agent)[0] for agent in parallel.agents})
        assert ended[1] == aec.rewards
        assert np.array_equal(parallel.state(), aec.state())

    def test_a_game_of_turns_is_refused(self) -> None:
        with pytest.raises(SetupError, match="the seats of strata move one after another: use env"):
            warroom_rl.parallel_env("strata")


class TestPictures:
    def test_a_picture_is_what_the_selected_agent_knows(self) -> None:
        env = warroom_rl.env(SEALED_BIDS, render_mode="ansi")
        env.reset(seed=1)
        picture = env.render()
        assert picture is not None
        hand = [env.setting.actions.decode(index) for index in env.legal_actions("seat_0")]
        cards = " ".join(str(action.card) for action in hand if isinstance(action, Bid))
        assert f"hand {cards}" in picture

    def test_for_people_each_step_is_printed(self, capsys: pytest.CaptureFixture[str]) -> None:
        env = warroom_rl.env(SEALED_BIDS, render_mode="human")
        env.reset(seed=1)
        env.step(env.legal_actions("seat_0")[0])
        assert capsys.readouterr().out.count("hand ") == 2

    def test_all_hands_are_shown_where_all_move_together(self, capsys: pytest.CaptureFixture[str]) -> None:
        env = warroom_rl.parallel_env(SEALED_BIDS, seats=2, render_mode="ansi")
        env.reset(seed=1)
        assert (env.render() or "").count("hand ") == 2
        assert capsys.readouterr().out == ""


class TestErrors:
    @pytest.mark.parametrize(
        ("game", "settings", "said"),
        [
            ("chess", {}, "unknown game 'chess'; installed: graph_battle, "),
            ("no_module:GAME", {}, "cannot import 'no_module'"),
            ("sealed_bids:NOTHING", {}, "'sealed_bids' has no 'NOTHING'"),
            ("strata", {"seats": 3}, "strata is played by 2 seats, not 3"),
            ("graph_battle", {"seats": 9}, "graph_battle is played by 2 to 5 seats, not 9"),
            ("strata", {"options": {"speed": 1}}, "strata has no option 'speed'"),
            ("strata", {"options": {"max_turns": 0}}, "option 'max_turns' of strata cannot be 0"),
            ("sealed_bids:GAME", {}, "sealed_bids does not name the type of its public view; add `view_type`"),
            ("ferries_game:GAME", {}, "ferries has types without bounds; its method `bounds` must declare "),
            ("strata", {"max_steps": 0}, "max_steps is at least 1, not 0"),
            ("strata", {"illegal": "forgive"}, "illegal is one of lose, nearest, raise, not 'forgive'"),
            ("strata", {"illegal": "nearest"}, "the nearest action is only known to environments with factors"),
            ("strata", {"render_mode": "rgb_array"}, "render_mode is None or one of ansi, human, not 'rgb_array'"),
        ],
    )
    def test_what_does_not_fit_gets_one_clear_line(self, game: str, settings: dict[str, Any], said: str) -> None:
        with pytest.raises(SetupError) as refused:
            warroom_rl.env(game, **settings)
        assert said in str(refused.value)
        assert "\n" not in str(refused.value)

    def test_options_that_do_not_fit_together_are_refused(self) -> None:
        with pytest.raises(SetupError, match=r"cards must be at least rounds \(9\), got 2"):
            warroom_rl.env(SEALED_BIDS, options={"rounds": 9, "cards": 2})

    @pytest.mark.parametrize(
        "call",
        [
            lambda env: env.step(0),
            lambda env: env.observe("seat_0"),
            lambda env: env.state(),
            lambda env: env.render(),
            lambda env: env.legal_actions("seat_0"),
        ],
    )
    def test_a_match_must_begin_first(self, call: Any) -> None:
        with pytest.raises(StepError, match=r"call reset\(\) first"):
            call(warroom_rl.env(LIARS_DICE))

    def test_an_unknown_agent_is_named(self) -> None:
        env = warroom_rl.env(LIARS_DICE, seats=2)
        env.reset(seed=1)
        with pytest.raises(StepError, match="'seat_2' is no agent; they are seat_0, seat_1"):
            env.observe("seat_2")

    def test_all_errors_are_value_errors(self) -> None:
        assert issubclass(LearningError, ValueError)


class Settled(type(SEALED_BIDS)):  # type: ignore[misc]
    """Sealed bids in which every second opening decides the match."""

    def setup(self, seats: int, options: Any, rng: Any) -> Any:
        state = super().setup(seats, options, rng)
        decided = msgspec.structs.replace(state.table, out=tuple(range(1, seats)))
        return msgspec.structs.replace(state, table=decided) if rng.below(2)[0] else state


def test_a_match_that_the_opening_decides_ends_at_once_or_is_passed_over() -> None:
    env = warroom_rl.env(Settled())
    for _ in range(20):
        env.reset(seed=None if env.agents else 1)
        assert len(env.legal_actions(env.agent_selection)) > 0 or all(env.terminations.values())
    seat = warroom_rl.seat_env(Settled(), ["random"])
    with closing(warroom_rl.vector_env(Settled(), 8, processes=0)) as envs:
        assert envs.reset(seed=1)[0]["action_mask"].any(axis=1).all()
    for seed in range(10):
        assert seat.reset(seed=seed)[0]["action_mask"].any()


def test_a_missing_package_is_named() -> None:
    program = "import sys; sys.modules['pettingzoo'] = None; import warroom_rl"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.stderr.splitlines()[-1] == "ImportError: pettingzoo is missing: pip install 'warroom[rl]'"


def test_all_installed_games_have_environments() -> None:
    for game in load_games().newest():
        for seats in range(game.info.min_seats, game.info.max_seats + 1):
            assert warroom_rl.env(game.info.id, seats=seats).max_num_agents == seats


def test_the_state_has_all_that_the_seats_know() -> None:
    env = warroom_rl.env(LIARS_DICE, seats=2)
    env.reset(seed=1)
    assert env.state_space.contains(env.state())
    private = env.setting.views.private
    assert private is not None
    hands = [env.observe(agent)["observation"][-private.size :] for agent in env.agents]
    assert np.array_equal(env.state()[-2 * private.size :], np.concatenate(hands))
