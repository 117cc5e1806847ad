"""The table as text: the board, the standings, and the hand of the viewer.

With the widest table and the longest hand, six lines of an 80 x 24 terminal are left for the actions.
"""

from collections.abc import Sequence
from itertools import pairwise
from textwrap import wrap

from warroom_games.tile_blitz.board import SIDE, tile_id
from warroom_games.tile_blitz.state import Card, Player, Secret, Table, Tile
from warroom_games.words import called, plural
from warroom_protocol.results import ending_in_words

_WIDTH = 79
_HAND_LINES = 2
_NAME = 16
_CELL = 9
_RULE = "     " + ("+" + "-" * _CELL) * SIDE + "+"
_FACES = {1: "A", 11: "J", 12: "Q", 13: "K"}


def draw_table(table: Table, secret: Secret | None, names: Sequence[str]) -> str:
    """Return the table as plain text; a tile shows its id, the letter of its colour, and troops + tanks."""
    hand = [] if secret is None else _hand(secret)
    return "\n".join([_headline(table), *_board(table), _order(table, names), *_standings(table, names), *hand])


def _headline(table: Table) -> str:
    state = f"over ({ending_in_words(table.ended)})" if table.ended else f"{table.players[table.seat].color} to move"
    rounds = f"round {table.round} of {table.options.max_rounds}"
    return f"Tile Blitz  {rounds}  turn {table.turn}  {state}  {table.deck} cards in deck {table.decks}"


def _board(table: Table) -> list[str]:
    columns = "".join(f"y={y}".center(_CELL + 1) for y in range(SIDE))
    lines = [f"      {columns}".rstrip()]
    for x in range(SIDE):
        cells = [_cell(tile_id(x, y), table.tiles[tile_id(x, y) - 1]) for y in range(SIDE)]
        lines.append(f" x={x} |" + "|".join(cells) + "|")
    return lines


def _order(table: Table, names: Sequence[str]) -> str:
    """Return the lower edge of the board, with the next two players."""
    if table.ended:
        return _RULE
    seats = (table.seat, *table.upcoming)
    turns = [
        called(names, seat, table.players[seat].color, width=_NAME).rstrip() + " again" * (seat == before)
        for before, seat in pairwise(seats)
    ]
    told = f"next: {', then '.join(turns)}" if turns else "this is the last turn"
    return f"     +-- {told} ".ljust(len(_RULE) - 1, "-") + "+"


def _cell(number: int, tile: Tile) -> str:
    units = f"{tile.troops}+{tile.tanks}" if tile.tanks else f"{tile.troops}"
    held = f"{_letter(tile.color)}{units}" if tile.color else "."
    return f"{number:>2} {held}".ljust(_CELL)


def _standings(table: Table, names: Sequence[str]) -> list[str]:
    return [_standing(table, seat, player, names) for seat, player in enumerate(table.players)]


def _standing(table: Table, seat: int, player: Player, names: Sequence[str]) -> str:
    held = [tile.power for tile in table.tiles if tile.color == player.color]
    mark = ">" if seat == table.seat and not table.ended else " "
    name = f"{mark} {_letter(player.color)} {called(names, seat, player.color, width=_NAME)}"
    if seat in table.out:
        return f"{name} out"
    tiles, cards = plural(len(held), "tile"), plural(player.cards, "card")
    return f"{name}{tiles:>9}{sum(held):>5} power {player.gold:>3} gold {player.stamina:>2} stamina {cards:>9}"


def _hand(secret: Secret) -> list[str]:
    """Return the cards by value; cards that do not fit are only counted."""
    cards = sorted(secret.hand, key=lambda card: (card.value, card.id))
    faces = " ".join(map(_face, cards)) or "none"
    lines = wrap(f"your cards (#id): {faces}", _WIDTH)
    shown = " ".join(lines[:_HAND_LINES]).count("#") - 1
    return [*lines[:_HAND_LINES], *([f"and {len(cards) - shown} more"] if len(lines) > _HAND_LINES else [])]


def _face(card: Card) -> str:
    return f"{_FACES.get(card.value, card.value)}{card.suit[0]}#{card.id}"


def _letter(color: str) -> str:
    return color[0].upper()
