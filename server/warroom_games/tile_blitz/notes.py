"""Notes on attacks, shown before they are made: docs/rules/tile_blitz.md, section 8.7."""

from warroom_games.tile_blitz.actions import Action, Attack
from warroom_games.tile_blitz.attacking import battle_of
from warroom_games.tile_blitz.state import Table
from warroom_games.words import plural


def note_on(table: Table, action: Action) -> str:
    """Return the attacker's power before and after an attack, and its losses; an empty text for other actions."""
    if not isinstance(action, Attack):
        return ""
    battle = battle_of(table, action)
    power, lost = table.tiles[action.source - 1].power, battle.troops_lost + 2 * battle.tanks_lost
    tanks = f" ({plural(battle.tanks_lost, 'tank')})" if battle.tanks_lost else ""
    return f"{power} → {power - lost}, loses {lost}{tanks}"
