"""The table as text: the board, how the players stand, and the hand of whoever looks.

The widest table with the longest hand fits into a terminal of 80 x 24 with two lines to spare.
"""

from textwrap import wrap

from warroom_games.tile_blitz.board import SIDE, tile_id
from warroom_games.tile_blitz.state import Card, Player, Secret, Table, Tile

_WIDTH = 79
_HAND_LINES = 2
_CELL = 9
_RULE = "     " + ("+" + "-" * _CELL) * SIDE + "+"
_FACES = {1: "A", 11: "J", 12: "Q", 13: "K"}


def draw_table(table: Table, secret: Secret | None) -> str:
    """Return the table as plain text; a tile shows its id, the letter of its colour, and troops + tanks."""
    lines = [_headline(table), "", *_board(table), "", *_standings(table)]
    if secret is not None:
        lines += ["", *_hand(secret)]
    return "\n".join(lines)


def _headline(table: Table) -> str:
    state = f"over ({table.ended})" if table.ended else f"{table.players[table.seat].color} to move"
    rounds = f"round {table.round} of {table.options.max_rounds}"
    return f"Tile Blitz  {rounds}  turn {table.turn}  {state}  {table.deck} cards in deck {table.decks}"


def _board(table: Table) -> list[str]:
    columns = "".join(f"y={y}".center(_CELL + 1) for y in range(SIDE))
    lines = [f"      {columns}".rstrip(), _RULE]
    for x in range(SIDE):
        cells = [_cell(tile_id(x, y), table.tiles[tile_id(x, y) - 1]) for y in range(SIDE)]
        lines.append(f" x={x} |" + "|".join(cells) + "|")
    return [*lines, _RULE]


def _cell(number: int, tile: Tile) -> str:
    units = f"{tile.troops}+{tile.tanks}" if tile.tanks else f"{tile.troops}"
    held = f"{_letter(tile.color)}{units}" if tile.color else "."
    return f"{number:>2} {held}".ljust(_CELL)


def _standings(table: Table) -> list[str]:
    return [_standing(table, seat, player) for seat, player in enumerate(table.players)]


def _standing(table: Table, seat: int, player: Player) -> str:
    held = [tile.power for tile in table.tiles if tile.color == player.color]
    mark = ">" if seat == table.seat and not table.ended else " "
    name = f"{mark} {_letter(player.color)} {player.color:<7}"
    if seat in table.out:
        return f"{name} out"
    purse = f"{player.gold:>3} gold {player.stamina:>2} stamina {player.cards:>3} cards"
    return f"{name}{len(held):>3} tiles {sum(held):>4} power {purse}"


def _hand(secret: Secret) -> list[str]:
    """Return the cards by value; the last of more than fit only as their number."""
    cards = sorted(secret.hand, key=lambda card: (card.value, card.id))
    faces = " ".join(map(_face, cards)) or "none"
    lines = wrap(f"your cards (#id): {faces}", _WIDTH)
    shown = " ".join(lines[:_HAND_LINES]).count("#") - 1
    return [*lines[:_HAND_LINES], *([f"and {len(cards) - shown} more"] if len(lines) > _HAND_LINES else [])]


def _face(card: Card) -> str:
    return f"{_FACES.get(card.value, card.value)}{card.suit[0]}#{card.id}"


def _letter(color: str) -> str:
    return color[0].upper()
