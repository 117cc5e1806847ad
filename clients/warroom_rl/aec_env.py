"""The PettingZoo environment of a game in which one seat acts after another (agent environment cycle)."""

from typing import Any

from pettingzoo import AECEnv

from warroom_rl.errors import StepError
from warroom_rl.seated_env import SeatedEnv


class MatchEnv(SeatedEnv, AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A match of any game. Where several seats are to act, the lowest one acts first."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the match of a seed, or the next one. *options* are ignored: those of the game are given to `env`."""
        self._episode.begin(self._seeds.next_seed(seed))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        if self._episode.is_over:
            self._finish()  # the opening may decide the match
        self._select()

    def step(self, action: Any) -> None:
        """Play the action of the selected agent; None for an agent that is done."""
        if not self.agents:
            raise StepError("no match is running: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._episode.act(self._seats[agent], action)
        self._cumulative_rewards[agent] = 0.0
        if self._episode.is_over:
            self._finish()
        self._select()

    def render(self) -> str | None:
        """Return what the selected agent knows as text, or print it if the mode is `human`; nothing without a mode."""
        self._require_match()
        return self._picture(self.agent_selection)

    def _select(self) -> None:
        asked = self._episode.asked
        self.agent_selection = self.possible_agents[asked[0]] if asked else self.agents[0]
        if self.render_mode == "human":
            self.render()

    def _finish(self) -> None:
        is_truncated = self._episode.is_truncated
        for agent, reward in zip(self.agents, self._episode.rewards(), strict=True):
            self.rewards[agent] = reward
            self.terminations[agent], self.truncations[agent] = not is_truncated, is_truncated
            self.infos[agent] = self._episode.outcome(self._seats[agent])
        self._accumulate_rewards()
