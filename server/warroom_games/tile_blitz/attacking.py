"""Legal attacks and their effects: docs/rules/tile_blitz.md, section 8."""

from msgspec.structs import replace

from warroom_games.api import Event, IllegalActionError
from warroom_games.tile_blitz.actions import Attack
from warroom_games.tile_blitz.board import NEIGHBOURS
from warroom_games.tile_blitz.combat import LOSSES, Battle, defence, fight
from warroom_games.tile_blitz.elimination import without_seat
from warroom_games.tile_blitz.events import Attacked, Captured, Eliminated
from warroom_games.tile_blitz.moving import no_edge
from warroom_games.tile_blitz.permission import known_tile, own_tile
from warroom_games.tile_blitz.state import Color, State, Table, Tile

MIN_TROOPS = 2


def check_attack(table: Table, attack: Attack) -> None:
    """Refuse an illegal attack of the current seat."""  # §8.1, §8.2, §8.3
    source = own_tile(table, attack.source)
    target = known_tile(table, attack.target)
    if target.color == source.color:
        raise IllegalActionError("attack.own_tile", f"tile {attack.target} is yours")
    if attack.target - 1 not in NEIGHBOURS[attack.source - 1]:
        raise IllegalActionError("attack.not_adjacent", no_edge(attack.source, attack.target))
    if source.troops < MIN_TROOPS:
        detail = f"tile {attack.source} has {source.troops} troops; an attack needs {MIN_TROOPS} or more"
        raise IllegalActionError("attack.too_few", detail)
    if source.power <= defence(target):
        detail = f"tile {attack.source} has power {source.power}, which does not exceed the defence {defence(target)}"
        raise IllegalActionError("attack.too_weak", detail)


def battle_of(table: Table, attack: Attack) -> Battle:
    """Return the outcome of a legal attack."""  # §8.4 to §8.6
    source, target = table.tiles[attack.source - 1], table.tiles[attack.target - 1]
    return fight(source, LOSSES[table.options.losses](source.power, defence(target)))


def make_attack(state: State, attack: Attack, events: list[Event]) -> State:
    """Capture the target, and remove its former holder if that was the last tile."""  # §8.4 to §8.6
    table, seat = state.table, state.table.seat
    source, target = table.tiles[attack.source - 1], table.tiles[attack.target - 1]
    color, former = table.players[seat].color, target.color
    battle = battle_of(table, attack)
    lost = battle.troops_lost, battle.tanks_lost
    events.append(Event(Attacked(seat, attack.source, attack.target, source.power, defence(target), *lost)))
    moved = battle.troops, battle.tanks
    events.append(Event(Captured(seat, attack.source, attack.target, color, former, *moved)))
    tiles = list(table.tiles)
    tiles[attack.source - 1] = Tile(color, 1, 0)  # 1 troop stays behind, all tanks go along
    tiles[attack.target - 1] = Tile(color, *moved)
    state = State(replace(table, tiles=tuple(tiles)), state.secrets, state.deck, state.rng)
    return state if former is None else _without_beaten(state, former, events)


def _without_beaten(state: State, color: Color, events: list[Event]) -> State:
    """Remove the seat of a colour if it has just lost its last tile."""  # §9.1
    for tile in state.table.tiles:
        if tile.color == color:
            return state
    seat = next(seat for seat, player in enumerate(state.table.players) if player.color == color)
    events.append(Event(Eliminated(seat, state.table.seat, ())))
    return without_seat(state, seat)
