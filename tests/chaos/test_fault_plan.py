"""The fault plan: deterministic, sorted, within the run, and never more than a cluster can survive."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warroom_chaos.fault_plan import FIRST_MS, GRAVE, KINDS, LIGHT, RECOVERY_MS, Fault, make_plan

SEEDS = st.integers(min_value=-(2**60), max_value=2**60)
NODES = st.integers(min_value=1, max_value=5)
SECONDS = st.floats(min_value=1, max_value=120)
BETWEEN_NODES = {sort.kind for sort in (*GRAVE, *LIGHT) if sort.needs_nodes > 1}


def _grave(plan: tuple[Fault, ...]) -> list[Fault]:
    kinds = {sort.kind for sort in GRAVE}
    return [fault for fault in plan if fault.kind in kinds]


@given(seed=SEEDS, nodes=NODES, seconds=SECONDS)
def test_the_same_seed_gives_the_same_faults_in_order_and_within_the_time(
    seed: int, nodes: int, seconds: float
) -> None:
    plan = make_plan(seed, nodes=nodes, seconds=seconds)
    assert plan == make_plan(seed, nodes=nodes, seconds=seconds)
    assert [fault.at_ms for fault in plan] == sorted(fault.at_ms for fault in plan)
    for fault in plan:
        assert FIRST_MS <= fault.at_ms <= fault.until_ms <= seconds * 1000
        assert fault.node is None or 0 <= fault.node < nodes


@given(seed=SEEDS, nodes=NODES)
def test_grave_faults_leave_time_to_recover(seed: int, nodes: int) -> None:
    for earlier, later in pairwise(_grave(make_plan(seed, nodes=nodes, seconds=60))):
        assert later.at_ms >= earlier.until_ms + RECOVERY_MS


@given(seed=SEEDS)
def test_a_minute_has_every_kind_of_fault(seed: int) -> None:
    assert {fault.kind for fault in make_plan(seed, nodes=3, seconds=90)} == set(KINDS)
    assert {fault.kind for fault in make_plan(seed, nodes=3, seconds=90, kinds=KINDS)} == set(KINDS)


@given(seed=SEEDS)
def test_one_node_has_no_links_to_break(seed: int) -> None:
    assert not {fault.kind for fault in make_plan(seed, nodes=1, seconds=90)} & BETWEEN_NODES


def test_another_seed_gives_other_faults() -> None:
    plans = {make_plan(seed, nodes=3, seconds=60) for seed in range(20)}
    assert len(plans) == 20


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault(0, "kill", 2, lasts_ms=1_500), "kill node 2 for 1.5 s"),
        (Fault(0, "drain", 0), "drain node 0"),
        (Fault(0, "restart_store", None, lasts_ms=200), "kill the store for 0.2 s"),
        (Fault(0, "rewind_store", None, lasts_ms=1_500), "make the store forget its writes for 1.5 s"),
        (Fault(0, "cut_clients", 1, amount=40), "cut 40 % of the clients of node 1"),
        (
            Fault(0, "lose_message", 0, amount=3),
            "drop message 3 from now, with its connection, on the links of node 0",
        ),
        (Fault(0, "jump_clock", 1, amount=-43_200_000), "shift by -0.5 days the wall clock of node 1"),
    ],
)
def test_a_fault_says_in_words_what_it_does(fault: Fault, words: str) -> None:
    assert str(fault) == words
