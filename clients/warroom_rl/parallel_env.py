"""The PettingZoo environment of a game in which all seats move together."""

from typing import Any

from pettingzoo import ParallelEnv

from warroom_rl.episode import Illegal
from warroom_rl.errors import SetupError, StepError
from warroom_rl.seated_env import SeatedEnv
from warroom_rl.setting import Setting

Observations = dict[str, dict[str, Any]]


class ParallelMatchEnv(SeatedEnv, ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A match of a game whose seats move together: each step plays one action of every seat that is to act.

    An action of a seat that is not to act is ignored: it may wait for others who have several actions in a turn.
    """

    def __init__(
        self,
        setting: Setting,
        *,
        max_steps: int | None = None,
        illegal: Illegal | None = None,
        render_mode: str | None = None,
    ) -> None:
        if not setting.game.info.simultaneous:
            raise SetupError(f"the seats of {setting.game.info.id} move one after another: use env, not parallel_env")
        super().__init__(setting, max_steps=max_steps, illegal=illegal, render_mode=render_mode)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, dict[str, Any]]]:
        """Begin the match of a seed, or the next one. *options* are ignored: those of the game are given to `env`."""
        self._episode.begin(self._seeds.next_seed(seed))
        self.agents = list(self.possible_agents)
        self._show()
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play an action of each seat that is to act, in the order of seats."""
        episode, agents = self._episode, self.agents
        if not agents:
            raise StepError("no match is running: call reset() first")
        asked = {seat: self.possible_agents[seat] for seat in episode.asked}
        for seat, agent in asked.items():
            if agent not in actions:
                raise StepError(f"{agent} is to act, but there is no action of it")
            episode.check(seat, actions[agent])
        for seat, agent in asked.items():
            if seat in episode.asked:  # no earlier action of this step ended the match
                episode.act(seat, actions[agent])
        is_truncated = episode.is_truncated
        rewards = dict(zip(agents, episode.rewards(), strict=True))
        terminations = dict.fromkeys(agents, episode.is_over and not is_truncated)
        infos = {agent: episode.outcome(self._seats[agent]) for agent in agents}
        if episode.is_over:
            self.agents = []
        self._show()
        return self._observations(), rewards, terminations, dict.fromkeys(agents, is_truncated), infos

    def render(self) -> str | None:
        """Return what all seats know, one after another, or print it if the mode is `human`; nothing without a mode."""
        self._require_match()
        pictures = [self._picture(agent) for agent in self.possible_agents]
        return "\n\n".join(picture for picture in pictures if picture) if self.render_mode == "ansi" else None

    def _observations(self) -> Observations:
        return {agent: self.observe(agent) for agent in self.possible_agents}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()
