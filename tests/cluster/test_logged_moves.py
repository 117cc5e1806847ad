"""What nodes log about matches that they give away is what the judge of `warroom chaos` reads."""

import logging
from collections.abc import Awaitable, Callable

import pytest
from linked_nodes import let_pass
from manual_time import ManualTime
from small_node import LittleNode
from wait_until import until

from warroom_chaos.journal import ADOPTED, GIVEN, LINKED, Journal
from warroom_protocol.rooms import room_code
from warroom_server.cluster.load_shares import LEAST
from warroom_server.cluster.rebalancing import LOOK_MS, PATIENCE


async def test_who_gave_which_room_to_whom_and_who_has_it_is_in_the_log(
    neighbours: Callable[..., Awaitable[list[LittleNode]]], time: ManualTime, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    nodes = here, there = await neighbours("node-a", "node-b")
    rooms = {room_code((await here.table())[0]) for _ in range(2 * LEAST)}
    for node in nodes:
        node.leveller.start()
    await let_pass(time, (PATIENCE + 2) * LOOK_MS)
    await until(lambda: len(there.room_host) == LEAST)
    journal = Journal(time.now)
    for record in caplog.records:
        journal.note(0, f"level={record.levelname} logger={record.name} {record.getMessage()}")
    told = {what: [entry for entry in journal.entries if entry.what == what] for what in (LINKED, GIVEN, ADOPTED)}
    assert {entry.owner for entry in told[LINKED]} == {here.name, there.name}
    assert {(entry.heir, entry.epoch, entry.room in rooms) for entry in told[GIVEN]} == {(there.name, 1, True)}
    assert {(entry.room, entry.epoch) for entry in told[ADOPTED]} == {(entry.room, 2) for entry in told[GIVEN]}
