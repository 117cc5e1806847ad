"""Notes on attacks, shown before they are made: docs/rules/graph_battle.md, section 4.9."""

from fractions import Fraction

from warroom_games.graph_battle.actions import Action, Attack
from warroom_games.graph_battle.attacking import attack_odds
from warroom_games.graph_battle.state import Table


def note_on(table: Table, action: Action) -> str:
    """Return the odds of an attack in percent; an empty text for other actions."""
    return in_percent(attack_odds(table, action)) if isinstance(action, Attack) else ""


def in_percent(odds: Fraction) -> str:
    """Format odds as whole percent, rounded half up. Only certain outcomes are 0 % or 100 %."""
    if 0 < odds < Fraction(1, 100):
        return "under 1 %"
    if Fraction(99, 100) < odds < 1:
        return "over 99 %"
    return f"{(200 * odds + 1) // 2} %"
