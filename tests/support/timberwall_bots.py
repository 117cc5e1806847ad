"""Bots of Timberwall in small positions."""

from warroom_bots.api import Bot, Decision
from warroom_bots.games.timberwall.situation import Situation, look
from warroom_games.codec import decode_action, encode
from warroom_games.timberwall.actions import Action
from warroom_games.timberwall.ground import survey_views
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import State
from warroom_protocol.canonical import plain


def decision(state: State, seat: int = 0) -> Decision:
    """Return the decision of a seat."""
    legal = tuple(map(plain, GAME.legal_actions(state, seat)))
    return Decision(seat, plain(GAME.public(state)), plain(GAME.private(state, seat)), legal, complete=False)


def situation(state: State, seat: int = 0, *, spawned: int = 0) -> Situation:
    """Return the situation of a seat, after that many own spawns."""
    asked = decision(state, seat)
    return look(survey_views(asked.public, asked.private, seat), spawned=spawned)


def chosen(bot: Bot, state: State, seat: int = 0) -> Action:
    """Return the bot's action, after checking that it is legal."""
    action: Action = decode_action(GAME, encode(bot.choose(decision(state, seat))))
    GAME.check(state, seat, action)
    return action
