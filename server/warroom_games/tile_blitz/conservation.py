"""Quantities that change only as events report: cards, tiles, troops, tanks and gold."""

from collections import Counter
from collections.abc import Iterable, Mapping

from warroom_games.api import Event
from warroom_games.tile_blitz.building import INFANTRY_GOLD
from warroom_games.tile_blitz.cards import DECK
from warroom_games.tile_blitz.events import Attacked, DeckRenewed, Eliminated, InfantryBuilt, TankBuilt, TurnBegan
from warroom_games.tile_blitz.state import State, Table


def quantities(state: State) -> Mapping[str, int]:
    """Return the cards of all decks so far, and everything on the board and in the players' stores."""
    table = state.table
    in_hands = sum(len(secret.hand) for secret in state.secrets)
    return {
        "cards": len(state.deck) + in_hands + table.spent,
        "tiles": len(table.tiles),
        "troops": sum(tile.troops for tile in table.tiles),
        "tanks": sum(tile.tanks for tile in table.tiles),
        "gold": sum(player.gold for player in table.players),
    }


def changes(state: State, events: tuple[Event, ...]) -> Mapping[str, int]:
    """Return what decks, turns and building added, and what attacks and eliminated players removed."""
    come: Counter[str] = Counter()
    for event in events:
        match event.public:
            case DeckRenewed():
                come["cards"] += DECK  # §4.3
            case TurnBegan(gold=gold):
                come["gold"] += gold  # §3.2
            case InfantryBuilt(count=count):
                come["troops"] += count  # §5.1
                come["gold"] -= count * INFANTRY_GOLD
            case TankBuilt():
                come["tanks"] += 1  # §5.3
            case Attacked() as attack:
                come["troops"] -= attack.troops_lost  # §8.5
                come["tanks"] -= attack.tanks_lost
                come.subtract(_units(state.table, (attack.target,)))
            case Eliminated(seat=seat, tiles=tiles):
                come["gold"] -= state.table.players[seat].gold  # §9.2
                come.subtract(_units(state.table, tiles))  # §10.1
            case _:
                pass
    return come


def _units(table: Table, tiles: Iterable[int]) -> Mapping[str, int]:
    """Return the units on some tiles."""
    named = [table.tiles[tile - 1] for tile in tiles]
    return {"troops": sum(tile.troops for tile in named), "tanks": sum(tile.tanks for tile in named)}
