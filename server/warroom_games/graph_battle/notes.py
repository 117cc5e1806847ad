"""The odds of an attack, told before it is made: docs/rules/graph_battle.md, section 4.9."""

from fractions import Fraction

from warroom_games.graph_battle.actions import Action, Attack
from warroom_games.graph_battle.attacking import attack_odds
from warroom_games.graph_battle.state import Table


def note_on(table: Table, action: Action) -> str:
    """Return the odds of an attack in percent; nothing on other actions."""
    return in_percent(attack_odds(table, action)) if isinstance(action, Attack) else ""


def in_percent(odds: Fraction) -> str:
    """Return odds as whole percent, half of one rounded up; 0 % and 100 % are said of what is certain alone."""
    if 0 < odds < Fraction(1, 100):
        return "under 1 %"
    if Fraction(99, 100) < odds < 1:
        return "over 99 %"
    return f"{(200 * odds + 1) // 2} %"
