"""A bot for every game that plays uniformly random legal actions."""

from warroom_bots.api import Action, BotKind, Decision
from warroom_games.rng import Rng


class RandomBot:
    """Draws one of the legal actions."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def choose(self, decision: Decision) -> Action:
        """Return any legal action."""
        action, self._rng = decision.pick(self._rng)
        return action


BOT = BotKind(name="random", game=None, summary="plays any legal action", make=RandomBot)
