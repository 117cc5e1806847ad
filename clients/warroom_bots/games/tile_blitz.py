"""A bot for Tile Blitz that saves gold until it can eliminate a rival in one turn.

Every turn brings the same income regardless of tiles, and gold and cards cannot be captured. So the bot holds a few
tiles, enough to be safe from such a raid, and spends the rest on raids. Where an attack costs as much as the defence,
tanks on the border are worth more than their cards.
"""

from collections.abc import Iterable

import msgspec

from warroom_bots.api import Action, BotKind, Decision
from warroom_bots.games.tile_blitz_planner import TurnPlan
from warroom_games.api import Seat
from warroom_games.rng import Rng
from warroom_games.tile_blitz import actions as rules
from warroom_games.tile_blitz.attacking import MIN_TROOPS
from warroom_games.tile_blitz.board import TILES
from warroom_games.tile_blitz.state import Card, Color, Secret, Table
from warroom_games.tile_blitz.turns import TURN_CARDS, TURN_GOLD

HOLDINGS = 6
"""Minimum number of tiles to hold: fewer are lost too soon, more cost the gold for a raid."""

_CARDS_A_PAIR = 4
"""Number of hidden cards in which the bot expects one pair."""


class GreedyBot:
    """Eliminates rivals when it can, holds a few tiles, and takes everything it can in the last round."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        self._turn = 0
        self._plan: list[rules.Action] = []

    def choose(self, decision: Decision) -> Action:
        """Return the next action of the plan, which is made at the start of the turn."""
        table = msgspec.convert(decision.public, Table)
        if table.turn != self._turn:
            taste, self._rng = self._rng.shuffle(range(TILES))
            hand = msgspec.convert(decision.private, Secret).hand
            self._turn, self._plan = table.turn, plan_turn(table, decision.seat, hand, taste)
        return msgspec.to_builtins(self._plan.pop(0) if self._plan else rules.EndTurn())


def plan_turn(table: Table, seat: Seat, hand: Iterable[Card], taste: tuple[int, ...]) -> list[rules.Action]:
    """Return the actions of this turn, without its end; *taste* breaks ties."""
    player = table.players[seat]
    start = TurnPlan(table, player.color, gold=player.gold, pairs=pairs(hand), taste=taste)
    plan = _finish(start, rivals(table, seat))
    if table.round == table.options.max_rounds:
        while plan.grow():  # saving is pointless in the last round
            pass
        return plan.actions
    while plan.holdings(player.color) < HOLDINGS or is_in_danger(plan, table, seat):
        if not plan.grow(most_gold=MIN_TROOPS):
            break
    if table.options.losses == "attrition":
        plan.fortify()
    return plan.actions


def _finish(plan: TurnPlan, colors: Iterable[Color]) -> TurnPlan:
    """Capture all tiles of every rival that can be afforded, smallest first."""
    for color in sorted(colors, key=plan.holdings):
        raid = plan.fork()
        if raid.raid(color):
            plan = raid
    return plan


def is_in_danger(plan: TurnPlan, table: Table, seat: Seat) -> bool:
    """Whether a remaining rival could capture all of the seat's tiles in its next turn."""
    own = table.players[seat].color
    for color in rivals(table, seat):
        player = next(player for player in table.players if player.color == color)
        cards = player.cards + TURN_CARDS
        rival = plan.against(table, color, gold=player.gold + TURN_GOLD, pairs=cards // _CARDS_A_PAIR)
        if rival.holdings(color) and rival.raid(own):
            return True
    return False


def rivals(table: Table, seat: Seat) -> list[Color]:
    """Return the other colours in play."""
    return [player.color for other, player in enumerate(table.players) if other != seat and other not in table.out]


def pairs(hand: Iterable[Card]) -> list[tuple[int, int]]:
    """Return the card ids of all pairs in the hand."""
    single: dict[int, int] = {}
    found: list[tuple[int, int]] = []
    for card in hand:
        if card.value in single:
            found.append((single.pop(card.value), card.id))
        else:
            single[card.value] = card.id
    return found


BOT = BotKind(name="greedy", game="tile_blitz", summary="saves its gold for raids that finish a rival", make=GreedyBot)
