"""What waited before the gate passes in order when that opens, whatever comes between."""

from functools import partial

import pytest
from linked_nodes import seat_two
from manual_time import ManualTime
from small_node import LittleNode, verdict_of
from wait_until import until

from warroom_protocol.messages import Verdict
from warroom_server.hosting.ownership_gate import OwnershipGate

ROOM = 7


def fail() -> None:
    """Do what a step with a bug does."""
    raise ZeroDivisionError("a bug")


class CreepingTime(ManualTime):
    """Goes on by a millisecond whenever somebody looks at the steady clock."""

    def steady_ms(self) -> int:
        """Return a later moment each time."""
        self._now += 1
        return self._now


class TestFailing:
    @pytest.mark.parametrize("behind", [0, 2])
    def test_a_gate_shuts_again_with_all_that_waits_behind_a_step_that_fails(
        self, time: ManualTime, behind: int
    ) -> None:
        gate, passed = OwnershipGate(time.steady_ms), list[int]()
        gate.shut()
        gate.keep(ROOM, fail)
        for step in range(behind):
            gate.keep(ROOM, partial(passed.append, step))
        gate.extend(2**60)
        with pytest.raises(ZeroDivisionError):
            gate.open()
        assert (gate.is_shut, len(gate), passed) == (True, behind, [])
        gate.extend(2**60)
        gate.open()
        assert (gate.is_shut, len(gate), passed) == (False, 0, list(range(behind)))

    async def test_a_node_tells_of_it_and_goes_on_with_its_rooms(
        self, node: LittleNode, caplog: pytest.LogCaptureFixture
    ) -> None:
        room, ada, _ = await seat_two(node, node)
        first = node.first(ada, room)
        node.reclaim.lose()
        node.gate.keep(room, fail)
        node.act(ada, room, 1, first)
        await node.lease.begin()
        await until(lambda: bool(ada.of(Verdict)) and not node.hosted(room).holds)
        assert verdict_of(ada, 1).code is None
        assert "doubts primary= failed" in caplog.text
        await node.lease.suspend()


@pytest.mark.parametrize("looks", range(12))
def test_what_waits_keeps_its_order_wherever_the_lease_ends_meanwhile(looks: int) -> None:
    time = CreepingTime()
    gate, passed = OwnershipGate(time.steady_ms), list[int]()

    gate.shut()
    for number in range(4):
        gate.keep(ROOM, partial(passed.append, number))
    gate.extend(time.now() + looks)
    gate.open()
    gate.extend(2**60)
    gate.open()
    assert passed == [0, 1, 2, 3]
