"""Positions of Tile Blitz, written as text."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from warroom_games.rng import Rng
from warroom_games.tile_blitz.board import COLORS, TILES
from warroom_games.tile_blitz.cards import DECK, SUITS, VALUES, card
from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.state import NEUTRAL, Player, Secret, State, Table, Tile
from warroom_games.tile_blitz.turns import upcoming

KEY = b"tile positions!!"


def position(
    picture: str,
    *,
    seats: int | None = None,
    gold: Mapping[int, int] | None = None,
    stamina: Mapping[int, int] | None = None,
    hands: Mapping[int, str] | None = None,
    deck: str | None = None,
    decks: int = 1,
    options: Options | None = None,
    **fields: Any,
) -> State:
    """Return the state that a picture shows.

    One word a tile that is held: `9:R5+2` is tile 9, red, with 5 troops and 2 tanks. Without *seats* two play if only
    red and orange are in the picture, else five; who is not in the picture is out of play. *gold*, *stamina* and
    *hands* are by seat; cards are words like `7c` (see `number`), and the deck is what is left unless *deck* says it.
    Further *fields* are those of `Table`.
    """
    tiles = [NEUTRAL] * TILES
    for word in picture.split():
        number_, _, held = word.partition(":")
        troops, _, tanks = held[1:].partition("+")
        tiles[int(number_) - 1] = Tile(_color(held[0]), int(troops), int(tanks or 0))
    shown = {tile.color for tile in tiles}
    colors = COLORS[seats or (2 if shown <= {None, "red", "orange"} else 5)]
    secrets = tuple(Secret(cards((hands or {}).get(seat, ""))) for seat in range(len(colors)))
    held_ids = {held.id for secret in secrets for held in secret.hand}
    left = [one for one in range(DECK * (decks - 1), DECK * decks) if one not in held_ids]
    pile = tuple(left) if deck is None else tuple(map(number, deck.split()))
    players = tuple(
        Player(color, (gold or {}).get(seat, 0), (stamina or {}).get(seat, 0), len(secrets[seat].hand))
        for seat, color in enumerate(colors)
    )
    fields.setdefault("out", tuple(seat for seat, color in enumerate(colors) if color not in shown))
    fields.setdefault("spent", DECK * decks - len(pile) - len(held_ids))
    table = Table(
        options=options or Options(), tiles=tuple(tiles), players=players, deck=len(pile), decks=decks, **fields
    )
    foreseen = table if table.ended else replace(table, upcoming=upcoming(table))
    return State(foreseen, secrets, pile, Rng(KEY))


def shown(state: State) -> str:
    """Return the tiles that are held as `position` reads them."""
    tiles = enumerate(state.table.tiles, start=1)
    return " ".join(f"{index}:{tile.color[0].upper()}{_units(tile)}" for index, tile in tiles if tile.color)


def number(word: str) -> int:
    """Return the id of a card: `7c` is the 7 of clubs of the first deck, `13s2` the king of spades of the second."""
    letter = next(letter for letter in word if letter.isalpha())
    value, _, deck = word.partition(letter)
    suit = next(index for index, suit in enumerate(SUITS) if suit[0] == letter)
    return DECK * (int(deck or 1) - 1) + VALUES * suit + int(value) - 1


def cards(words: str) -> Any:
    """Return the cards that the words name."""
    return tuple(card(number(word)) for word in words.split())


def pair(words: str) -> tuple[int, int]:
    """Return the ids of two cards."""
    one, other = map(number, words.split())
    return one, other


def _units(tile: Tile) -> str:
    return f"{tile.troops}+{tile.tanks}" if tile.tanks else f"{tile.troops}"


def _color(letter: str) -> Any:
    return next(color for color in COLORS[5] if color[0] == letter.lower())
