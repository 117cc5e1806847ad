"""Elimination: docs/rules/tile_blitz.md, sections 9 and 10."""

from msgspec.structs import replace

from warroom_games.api import Seat
from warroom_games.tile_blitz.state import NEUTRAL, Player, Secret, State


def without_seat(state: State, seat: Seat) -> State:
    """Remove a seat from play, with its hand, gold and stamina."""  # §9.2
    table = state.table
    player = table.players[seat]
    players = (*table.players[:seat], Player(player.color), *table.players[seat + 1 :])
    table = replace(table, players=players, spent=table.spent + player.cards, out=(*table.out, seat))
    secrets = (*state.secrets[:seat], Secret(), *state.secrets[seat + 1 :])
    return State(table, secrets, state.deck, state.rng)


def without_tiles(state: State, seat: Seat) -> tuple[State, tuple[int, ...]]:
    """Turn a seat's tiles neutral and remove their units; return also the ids of the tiles."""  # §10.1
    table = state.table
    color = table.players[seat].color
    left = tuple(index + 1 for index, tile in enumerate(table.tiles) if tile.color == color)
    tiles = tuple(NEUTRAL if tile.color == color else tile for tile in table.tiles)
    return State(replace(table, tiles=tiles), state.secrets, state.deck, state.rng), left
