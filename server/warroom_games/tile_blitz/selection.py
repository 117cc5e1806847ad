"""The listed legal actions: docs/rules/tile_blitz.md, section 13.

A stack can be split in too many ways, so the list is a selection: whole stacks, towards the front. It never leads in a
circle: a player who uses only the list reaches the end of the turn.
"""

from collections.abc import Mapping
from functools import lru_cache

from warroom_games.tile_blitz.actions import Action, Attack, BuildInfantry, BuildTank, EndTurn, March, Move
from warroom_games.tile_blitz.attacking import MIN_TROOPS
from warroom_games.tile_blitz.board import ALL, NEIGHBOURS, TILES, beside, indexes, territory
from warroom_games.tile_blitz.combat import NATURAL_DEFENCE
from warroom_games.tile_blitz.moving import MARCH_STAMINA
from warroom_games.tile_blitz.state import Secret, Table, Tile

END_TURN = EndTurn()

# Actions are values, so they are created once.
_RECRUITS = tuple(BuildInfantry(index + 1, 1) for index in range(TILES))
_ATTACKS = tuple({index: Attack(source + 1, index + 1) for index in NEIGHBOURS[source]} for source in range(TILES))

_LANDS_KEPT = 4096
"""The number of cached sets of own tiles. Most lists are made for the same set as before."""


def select(table: Table, secret: Secret) -> list[Action]:
    """Return the selection for the current seat, in a fixed order."""
    tiles, player = table.tiles, table.players[table.seat]
    color, gold = player.color, player.gold
    held, armies = 0, []
    for index, tile in enumerate(tiles):
        if tile.color == color:
            held |= 1 << index
            if tile.troops >= MIN_TROOPS:
                armies.append(index)
    front, border = _front(held)
    actions: list[Action] = []
    moves: list[Action] = []
    if armies:
        actions, moves = _sallies(tiles, held, front, armies)
    if player.cards >= 2 and (pair := first_pair(secret)):
        actions += [BuildTank(index + 1, pair) for index in border]  # §13.2
    if gold:
        actions += [_RECRUITS[index] for index in border]  # §13.3
        if gold > 1:
            actions += [BuildInfantry(index + 1, gold) for index in border]
    if armies:
        actions += moves
        if player.stamina >= MARCH_STAMINA and table.options.march:
            actions += _marches(tiles, held, border, armies)
    actions.append(END_TURN)
    return actions


@lru_cache(maxsize=_LANDS_KEPT)
def _front(held: int) -> tuple[int, tuple[int, ...]]:
    """Return the own tiles with a neighbour of another holder: as a set, and their indices in order."""
    front = held & beside(ALL & ~held)
    return front, indexes(front)


def _sallies(tiles: tuple[Tile, ...], held: int, front: int, armies: list[int]) -> tuple[list[Action], list[Action]]:
    """Return all attacks; and the moves of whole stacks: from the rear towards the front, and on the front to strength.

    Both are found together, since every edge of an army's tile leads to one or the other.
    """
    attacks: list[Action] = []
    moves: list[Action] = []
    for source in armies:
        tile = tiles[source]
        power = tile.troops + 2 * tile.tanks
        is_rear = not front >> source & 1
        goals = _nearer(held)[source] if is_rear else front
        for index in NEIGHBOURS[source]:
            target = tiles[index]
            strength = target.troops + 2 * target.tanks
            if not held >> index & 1:
                if power > (strength if target.color else NATURAL_DEFENCE):
                    attacks.append(_ATTACKS[source][index])  # §13.1
            # On the front only to more power, or to the higher id of equals: otherwise stacks could move in circles.
            elif goals >> index & 1 and (is_rear or strength > power or (strength == power and index > source)):
                moves.append(Move(source + 1, index + 1, tile.troops - 1, tile.tanks))  # §13.4
    return attacks, moves


def first_pair(secret: Secret) -> tuple[int, int] | None:
    """Return the ids of the pair in the hand whose second card was drawn first."""
    seen: dict[int, int] = {}
    for card in secret.hand:
        if card.value in seen:
            return seen[card.value], card.id
        seen[card.value] = card.id
    return None


@lru_cache(maxsize=_LANDS_KEPT)
def _nearer(held: int) -> Mapping[int, int]:
    """Return, for each own tile in the rear, the set of own tiles one step nearer to the front."""
    layer, _ = _front(held)
    rest = held & ~layer
    nearer: dict[int, int] = {}
    while reached := beside(layer) & rest:
        nearer.update(dict.fromkeys(indexes(reached), layer))
        layer, rest = reached, rest & ~reached
    return nearer


def _marches(tiles: tuple[Tile, ...], held: int, border: tuple[int, ...], armies: list[int]) -> list[Action]:
    """Return, for each army, the march of the whole stack to the strongest front tile within reach."""
    actions: list[Action] = []
    joined, target = 0, -1
    for source in armies:
        if not joined >> source & 1:  # consecutive armies are often in one territory
            joined = territory(held, source)
            target = _strongest(tiles, border, joined)
        if target != source:
            tile = tiles[source]
            actions.append(March(source + 1, target + 1, tile.troops - 1, tile.tanks))  # §13.5
    return actions


def _strongest(tiles: tuple[Tile, ...], border: tuple[int, ...], joined: int) -> int:
    """Return the index of the strongest of the connected border tiles, the lowest among equals."""
    best, most = -1, -1
    for index in border:
        if joined >> index & 1:
            tile = tiles[index]
            power = tile.troops + 2 * tile.tanks
            if power > most:
                best, most = index, power
    return best
