"""How many bytes an update of a board game has: everybody in a room gets them."""

import msgpack
from benchmarks.tiles49 import GAME, SEATS, TURN_MS, WIDTH, Move
from room_table import SPECTATOR, Table

from warroom_protocol.codec import decode_server
from warroom_protocol.messages import Update

ROOM = 2**32 - 1
"""The largest number of a room."""
MOST_BYTES = 64


def test_a_move_on_a_board_of_49_tiles_is_a_small_update() -> None:
    table = Table.playing(GAME, SEATS, turn_ms=TURN_MS)
    table.watch()
    sizes = set()
    for number in range(300):
        seat = number % SEATS
        tiles = seat * WIDTH, seat * WIDTH + 1
        source, target = tiles if number // SEATS % 2 else reversed(tiles)
        table.payloads[SPECTATOR].clear()
        table.act(seat, Move(f=source, t=target, n=100, k=7), at=table.now + 40)
        [payload] = [data for data in table.payloads[SPECTATOR] if isinstance(decode_server(data), Update)]
        name, _, *fields = msgpack.unpackb(payload)
        sizes.add(len(msgpack.packb([name, ROOM, *fields])))
    assert max(sizes) <= MOST_BYTES, sizes
