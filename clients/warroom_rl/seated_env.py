"""What the environments of PettingZoo's two kinds have in common: agents at seats, their spaces and what they see."""

import sys
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from warroom_rl.episode import Episode, Illegal
from warroom_rl.errors import SetupError, StepError
from warroom_rl.features import Numbers
from warroom_rl.seeds import Seeds
from warroom_rl.setting import Setting

RENDER_MODES = ("ansi", "human")


class SeatedEnv:
    """A match whose agents are called `seat_0`, `seat_1` and so on.

    All agents are done together, when the match is over, and then each has its reward.
    """

    def __init__(
        self,
        setting: Setting,
        *,
        max_steps: int | None = None,
        illegal: Illegal | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise SetupError(f"render_mode is None or one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        info = setting.game.info
        self.metadata = {
            "name": f"{info.id}_v{info.rules_version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,  # by PettingZoo's own converter, which needs one step a cycle
        }
        self.setting = setting
        self.render_mode = render_mode
        self.possible_agents = list(setting.agents)
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(setting.agents)}
        self._episode = Episode(setting, max_steps=max_steps, illegal=illegal)
        self._seeds = Seeds()
        # Own spaces for each agent: each samples by a seed of its own.
        self.observation_spaces = {agent: setting.observation_space() for agent in setting.agents}
        self.action_spaces = {agent: setting.action_space() for agent in setting.agents}
        self.state_space = setting.state_space()

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent knows, and the mask of its legal actions: empty if it is not to act."""
        return self._episode.observe(self._seat_of(agent))

    def legal_actions(self, agent: str) -> NDArray[np.int64]:
        """Return the listed legal actions of an agent, one a row: indices, or vectors of factors."""
        return self._episode.legal(self._seat_of(agent))

    def state(self) -> Numbers:
        """Return what all seats know together: who is to act, the public view, and every private view."""
        self._require_match()
        return self._episode.everything()

    def close(self) -> None:
        """Do nothing: there is no window and no process."""

    def _picture(self, agent: str) -> str | None:
        """Return what an agent knows as text, or print it if the mode is `human`; nothing without a mode."""
        if self.render_mode is None:
            return None
        picture = self._episode.picture(self._seat_of(agent))
        if self.render_mode == "ansi":
            return picture
        sys.stdout.write(f"{picture}\n")
        return None

    def _seat_of(self, agent: str) -> int:
        self._require_match()
        if agent not in self._seats:
            raise StepError(f"{agent!r} is no agent; they are {', '.join(self._seats)}")
        return self._seats[agent]

    def _require_match(self) -> None:
        if self._episode.state is None:
            raise StepError("no match is running: call reset() first")
