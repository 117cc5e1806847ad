"""Audits whole matches of Timberwall's warden: compares each decision with the demands of the document."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from timberwall_case import case_of
from timberwall_demands import Finding, breaches, demands

from warroom_bots.api import Action, Bot, BotKind, Decision
from warroom_bots.simulation import simulate
from warroom_games.codec import decode_action, encode
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.rules import GAME


class Defect(NamedTuple):
    """A decision that the document does not allow: a pass where it demands *action*, or a forbidden *action*."""

    seed: str
    turn: int
    rule: str
    action: rules.Action
    is_pass: bool


class Audit:
    """The record of an audited bot."""

    def __init__(self) -> None:
        self.turns = 0
        self.passes = 0
        self.defects: list[Defect] = []

    def watched(self, kind: BotKind, seed: str) -> BotKind:
        """Return a bot that plays like *kind* and notes its defects here."""
        return BotKind(
            name=kind.name, game=kind.game, summary=kind.summary, make=lambda rng: _Watched(kind.make(rng), self, seed)
        )

    def note(self, seed: str, turn: int, findings: Sequence[Finding], *, is_pass: bool) -> None:
        """Keep the first finding of a decision."""
        self.defects += [Defect(seed, turn, found.rule, found.action, is_pass) for found in findings[:1]]

    def play(self, bots: Sequence[BotKind], seed: str, options: Mapping[str, object]) -> None:
        """Play a match in which every `warden` is audited."""
        seated = [self.watched(kind, seed) if kind.name == "warden" else kind for kind in bots]
        simulate(GAME, seated, seed=seed, options=options)


class _Watched:
    def __init__(self, bot: Bot, audit: Audit, seed: str) -> None:
        self._bot, self._audit, self._seed = bot, audit, seed
        self._spawned = 0

    def choose(self, decision: Decision) -> Action:
        """Return the bot's choice, after computing the demanded one."""
        chosen = self._bot.choose(decision)
        action: rules.Action = decode_action(GAME, encode(chosen))
        case = case_of(decision, self._spawned)
        turn = case.ground.table.turn
        is_pass = isinstance(action, rules.Pass)
        self._audit.note(self._seed, turn, breaches(case, action), is_pass=False)
        if is_pass:
            self._audit.note(self._seed, turn, demands(case), is_pass=True)
        self._audit.passes += is_pass
        self._audit.turns += isinstance(action, rules.Ending)
        self._spawned += isinstance(action, rules.Deploy)
        return chosen
