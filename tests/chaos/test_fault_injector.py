"""When planned faults really happen."""

import asyncio
from typing import cast

from manual_loop import ManualLoop

from warroom_chaos.cluster import Cluster
from warroom_chaos.fault_injector import Injector
from warroom_chaos.fault_plan import RECOVERY_MS, Fault
from warroom_chaos.network_conditions import NetworkConditions


class _Node:
    """A node whose signals go nowhere."""

    def __init__(self) -> None:
        self.process = self
        self.store = NetworkConditions()

    def signal(self, number: int) -> None:
        """Do nothing."""


class _Nodes:
    """A cluster without processes."""

    def __init__(self) -> None:
        self.members = [_Node(), _Node()]


def _inject(*plan: Fault) -> list[tuple[float, float | None]]:
    """Inject faults in no time, and return when each began and ended."""
    with asyncio.Runner(loop_factory=ManualLoop) as runner:
        now_s = runner.get_loop().time
        start_s = now_s()
        injector = Injector(cast(Cluster, _Nodes()), plan, lambda: now_s() - start_s)
        runner.run(injector.run())
        return [(each.began_s, each.ended_s) for each in injector.done]


def test_faults_happen_when_they_are_planned() -> None:
    times = _inject(
        Fault(1_000, "delay_store", 1, lasts_ms=4_000, amount=5),
        Fault(1_500, "pause", 0, lasts_ms=500),
        Fault(2_000 + RECOVERY_MS, "pause", 1, lasts_ms=500),
    )
    assert times == [(1.0, 5.0), (1.5, 2.0), (5.0, 5.5)]


def test_a_grave_fault_that_has_to_wait_for_its_node_keeps_the_next_one_waiting() -> None:
    times = _inject(
        Fault(1_000, "delay_store", 0, lasts_ms=4_000, amount=5),
        Fault(2_000, "pause", 0, lasts_ms=500),
        Fault(2_500 + RECOVERY_MS, "pause", 1, lasts_ms=500),
    )
    assert times == [(1.0, 5.0), (5.0, 5.5), (8.5, 9.0)]
