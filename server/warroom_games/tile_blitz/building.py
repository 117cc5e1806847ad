"""Infantry and tanks: docs/rules/tile_blitz.md, section 5."""

from msgspec.structs import replace

from warroom_games.api import Event, IllegalActionError
from warroom_games.tile_blitz.actions import BuildInfantry, BuildTank
from warroom_games.tile_blitz.events import CardsDiscarded, InfantryBuilt, TankBuilt
from warroom_games.tile_blitz.permission import own_tile
from warroom_games.tile_blitz.state import Card, Player, Secret, State, Table, Tile

INFANTRY_GOLD = 1


def check_infantry(table: Table, build: BuildInfantry) -> None:
    """Refuse an empty order, a tile of another seat, and more infantry than the gold buys."""  # §5.1, §5.2
    own_tile(table, build.tile)
    gold = table.players[table.seat].gold
    if build.count < 1:
        raise IllegalActionError("infantry.none", f"buy 1 infantry or more, not {build.count}")
    if build.count * INFANTRY_GOLD > gold:
        raise IllegalActionError("infantry.gold", f"{build.count} infantry cost {build.count} gold; you have {gold}")


def make_infantry(state: State, build: BuildInfantry, events: list[Event]) -> State:
    """Pay the gold and put the infantry on the tile."""
    table = state.table
    seat, player = table.seat, table.players[table.seat]
    paid = Player(player.color, player.gold - build.count * INFANTRY_GOLD, player.stamina, player.cards)
    tile = table.tiles[build.tile - 1]
    built = Tile(tile.color, tile.troops + build.count, tile.tanks)
    events.append(Event(InfantryBuilt(seat, build.tile, build.count)))
    table = replace(table, tiles=with_tile(table, build.tile, built), players=with_player(table, paid))
    return State(table, state.secrets, state.deck, state.rng)


def check_tank(table: Table, secret: Secret, build: BuildTank) -> None:
    """Refuse a tile of another seat, and cards that are not a pair in the hand."""  # §5.3, §5.4
    own_tile(table, build.tile)
    hand = {card.id: card for card in secret.hand}
    for number in build.cards:
        if number not in hand:
            held = ", ".join(map(str, hand)) or "none"
            raise IllegalActionError("card.not_held", f"card {number} is not in your hand; you hold: {held}")
    one, other = (hand[number] for number in build.cards)
    if one is other:
        raise IllegalActionError("card.same", f"a tank needs two different cards, not card {one.id} twice")
    if one.value != other.value:
        raise IllegalActionError(
            "card.no_pair", f"cards {one.id} and {other.id} have different values: {one.value} and {other.value}"
        )


def make_tank(state: State, build: BuildTank, events: list[Event]) -> State:
    """Spend two cards and put a tank on the tile. Only the seat itself learns which cards."""  # §5.3, §4.5
    table, seat = state.table, state.table.seat
    given: list[Card] = []
    kept: list[Card] = []
    for card in state.secrets[seat].hand:
        (given if card.id in build.cards else kept).append(card)
    player = table.players[seat]
    poorer = Player(player.color, player.gold, player.stamina, len(kept))
    tile = table.tiles[build.tile - 1]
    tiles = with_tile(table, build.tile, Tile(tile.color, tile.troops, tile.tanks + 1))
    table = replace(table, tiles=tiles, players=with_player(table, poorer), spent=table.spent + len(given))
    secrets = (*state.secrets[:seat], Secret(tuple(kept)), *state.secrets[seat + 1 :])
    events.append(Event(TankBuilt(seat, build.tile), ((seat, CardsDiscarded((given[0], given[1]))),)))
    return State(table, secrets, state.deck, state.rng)


def with_tile(table: Table, tile_id: int, tile: Tile) -> tuple[Tile, ...]:
    """Return the tiles with the one of this id replaced."""
    tiles = list(table.tiles)
    tiles[tile_id - 1] = tile
    return tuple(tiles)


def with_player(table: Table, player: Player) -> tuple[Player, ...]:
    """Return the players with the current one replaced."""
    return (*table.players[: table.seat], player, *table.players[table.seat + 1 :])
