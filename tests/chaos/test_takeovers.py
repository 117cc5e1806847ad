"""Take-overs and the faults that explain them, from the log lines of the nodes."""

from collections.abc import Sequence

import pytest

from warroom_chaos.fault_injector import InjectedFault
from warroom_chaos.fault_plan import Fault, Kind
from warroom_chaos.ownership_log import OwnershipLog
from warroom_chaos.room_moves import placed
from warroom_chaos.takeovers import (
    drain_pauses_ms,
    late_leases,
    self_takeovers,
    takeovers,
    takeovers_ms,
)
from warroom_chaos.wire_taps import SeenPause
from warroom_protocol.rooms import room_code

CODE = room_code(7)
LINE = "time=2026-01-01T00:00:00+0000 level=INFO logger=warroom_server.runtime.x {}"
FACTS = {
    "room created": f"room={CODE} game=poker seats=2",
    "room adopted": f"room={CODE} epoch={{epoch}} rev=3",
    "room given": f"room={CODE} epoch={{epoch}} to=process-{{heir}}",
    "lease lost": "owner=process-{node}",
    "lease held again": "owner=process-{node}",
    "link open": "peer=process-9 own=process-{node}",
}


def _log(*told: tuple[float, int, str], epochs: Sequence[int] = (), heir: int = 1) -> OwnershipLog:
    """Return the log of one room: when, by which node, what; rooms are given to *heir*.

    Each adoption has the next epoch, unless *epochs* names them all.
    """
    now_s, adopted = 0.0, 1
    log = OwnershipLog(lambda: now_s)
    for node in range(3):
        log.note(node, LINE.format(f"link open {FACTS['link open'].format(node=node)}"))
    for index, (at_s, node, what) in enumerate(told):
        now_s, adopted = at_s, adopted + (what == "room adopted")
        epoch = epochs[index] if epochs else adopted
        log.note(node, LINE.format(f"{what} {FACTS[what].format(node=node, epoch=epoch, heir=heir)}"))
        log.note(node, "something else")
    return log


def _fault(kind: Kind, at_s: float, until_s: float | None, node: int | None = 0) -> InjectedFault:
    return InjectedFault(Fault(0, kind, node), at_s, until_s)


def _is_blamed(log: OwnershipLog, *faults: InjectedFault) -> bool:
    damages = self_takeovers(takeovers(log.entries, faults))
    assert all((damage.count, damage.room) == ("self_takeovers", CODE) for damage in damages)
    return bool(damages)


def test_a_room_of_a_killed_node_is_taken_over_without_blame() -> None:
    log = _log((1.0, 0, "room created"), (7.5, 2, "room adopted"))
    changes = takeovers(log.entries, [_fault("kill", 5.0, 8.0)])
    assert [(change.room, change.loser, change.winner) for change in changes] == [(CODE, 0, 2)]
    assert takeovers_ms(changes) == [2_500]
    assert self_takeovers(changes) == []


def test_a_room_that_the_next_process_in_its_place_takes_over_was_without_an_owner_as_long() -> None:
    log = _log((1.0, 0, "room created"), (9.0, 0, "room adopted"))
    assert takeovers_ms(takeovers(log.entries, [_fault("kill", 5.0, 8.0)])) == [4_000]
    assert takeovers_ms(takeovers(log.entries, [_fault("pause", 5.0, 8.0)])) == []


@pytest.mark.parametrize(
    ("faults", "is_blamed"),
    [
        pytest.param([], True, id="nothing happened"),
        pytest.param([_fault("kill", 29.0, 31.0, node=1)], True, id="another node was killed"),
        pytest.param([_fault("kill", 31.0, 32.0)], True, id="it was killed later"),
        pytest.param([_fault("kill", 5.0, 8.0)], False, id="the process that had it was killed long ago"),
        pytest.param([_fault("drain", 29.5, 33.0)], False, id="it hands its rooms over"),
        pytest.param([_fault("pause", 27.0, None)], False, id="it stands still"),
        pytest.param([_fault("pause", 29.5, None)], True, id="it has not stood still for long"),
        pytest.param([_fault("pause", 29.0, 29.4)], True, id="it stood still for a moment"),
        pytest.param([_fault("pause", 24.0, 27.5)], False, id="it stood still until just now"),
        pytest.param([_fault("pause", 22.0, 26.0)], True, id="it stood still, and could renew since"),
        pytest.param([_fault("cut_store", 26.0, 29.0)], False, id="it could not reach the store"),
        pytest.param([_fault("cut_store", 26.0, 29.0, node=2)], True, id="the winner could not reach the store"),
        pytest.param([_fault("cut_store", 20.0, 24.0)], True, id="it could not reach the store long ago"),
        pytest.param([_fault("restart_store", 26.0, 28.0, node=None)], False, id="nobody could reach the store"),
        pytest.param([_fault("restart_store", 28.9, 29.2, node=None)], True, id="the store was away for a moment"),
        pytest.param([_fault("rewind_store", 26.0, 29.0, node=None)], True, id="the store forgot that it renewed"),
        pytest.param([_fault("delay_store", 25.0, 29.0)], True, id="a slow store alone"),
        pytest.param(
            [_fault("cut_store", 20.0, 24.0), _fault("delay_store", 25.0, 28.0)], False, id="a slow store besides"
        ),
        pytest.param(
            [_fault("cut_store", 20.0, 24.0), _fault("delay_store", 25.0, 28.0, node=1)], True, id="slow for another"
        ),
        *(
            pytest.param([_fault(kind, 26.0, 30.0)], True, id=kind)
            for kind in ("cut_links", "cut_clients", "delay_clients", "slow_readers", "delay_links", "jump_clock")
        ),
    ],
)
def test_a_room_that_another_node_takes_is_damage_unless_a_fault_of_its_owner_explains_it(
    faults: list[InjectedFault], is_blamed: bool
) -> None:
    log = _log((1.0, 0, "room created"), (30.0, 2, "room adopted"))
    assert _is_blamed(log, *faults) is is_blamed


@pytest.mark.parametrize("kind", ["kill", "drain"])
def test_what_the_next_process_owns_is_not_excused_by_the_end_of_the_one_before(kind: Kind) -> None:
    log = _log((10.0, 0, "room created"), (12.0, 2, "room adopted"))
    assert _is_blamed(log, _fault(kind, 5.0, 8.0))


@pytest.mark.parametrize(
    ("lease", "is_blamed"),
    [
        pytest.param([(29.0, 0, "lease lost")], False, id="lost"),
        pytest.param([(31.0, 0, "lease lost")], False, id="lost, and found out a little later"),
        pytest.param([(2.0, 0, "lease lost")], False, id="lost long ago, and not held again"),
        pytest.param([(25.0, 0, "lease lost"), (28.0, 0, "lease held again")], False, id="held again just now"),
        pytest.param([(25.0, 0, "lease lost"), (26.0, 0, "lease held again")], True, id="held again before"),
        pytest.param([(33.0, 0, "lease lost")], True, id="lost later"),
        pytest.param([(29.0, 1, "lease lost")], True, id="that of another node"),
    ],
)
def test_a_node_that_renewed_too_late_was_not_renewing(lease: list[tuple[float, int, str]], is_blamed: bool) -> None:
    told = sorted([(1.0, 0, "room created"), *lease, (30.0, 2, "room adopted")])
    assert _is_blamed(_log(*told)) is is_blamed


def test_the_lease_that_one_process_lost_is_not_that_of_the_next() -> None:
    log = _log((1.0, 0, "lease lost"), (8.0, 0, "room created"), (30.0, 2, "room adopted"))
    assert not _is_blamed(log)
    assert _is_blamed(log, _fault("kill", 3.0, 6.0))


def test_a_lease_that_was_lost_without_a_fault_is_counted() -> None:
    log = _log((29.0, 0, "lease lost"))
    assert late_leases(log.entries, []) == 1
    assert late_leases(log.entries, [_fault("cut_store", 27.0, 30.0)]) == 0
    assert late_leases(log.entries, [_fault("cut_store", 27.0, 30.0, node=1)]) == 1


@pytest.mark.parametrize("kind", ["restart_store", "rewind_store"])
def test_a_node_that_takes_its_own_room_in_again_has_lost_it_before(kind: Kind) -> None:
    log = _log((1.0, 0, "room created"), (8.0, 0, "room adopted"))
    changes = takeovers(log.entries, [_fault(kind, 5.0, 5.5, node=None)])
    assert takeovers_ms(changes) == []
    assert self_takeovers(changes) == []
    assert _is_blamed(log)
    late = _log((1.0, 0, "room created"), (2.0, 0, "lease lost"), (3.0, 0, "lease held again"), (9, 0, "room adopted"))
    assert not _is_blamed(late)
    later = _log(
        (1.0, 0, "room created"), (2.0, 0, "lease lost"), (3.0, 0, "lease held again"), (30, 0, "room adopted")
    )
    assert _is_blamed(later)


def test_the_pause_at_a_drain_is_what_players_saw() -> None:
    log = _log((1.0, 0, "room created"), (5.2, 1, "room adopted"))
    changes = takeovers(log.entries, [_fault("drain", 5.0, 7.0)])
    pauses = [
        SeenPause(2.0, 1, 7, "store"),  # before the drain
        SeenPause(2.5, 1, 7, None),
        SeenPause(5.1, 1, 7, "moving"),
        SeenPause(5.15, 2, 7, "moving"),
        SeenPause(5.2, 1, 7, "restart"),
        SeenPause(5.4, 1, 7, None),
        SeenPause(5.1, 3, 8, "moving"),  # another room
        SeenPause(5.2, 3, 8, None),
    ]
    assert takeovers_ms(changes) == []
    assert drain_pauses_ms(changes, pauses) == [300]


MADE_AND_GIVEN = [(1.0, 0, "room created"), (10.0, 0, "room given")]


@pytest.mark.parametrize(
    ("at_s", "node", "epoch", "is_blamed"),
    [
        pytest.param(10.2, 1, 2, False, id="by whom it was given to"),
        pytest.param(9.8, 1, 2, False, id="whose line was read first"),
        pytest.param(12.0, 0, 2, False, id="by the giver, since nobody took it"),
        pytest.param(12.0, 1, 3, False, id="by whom it was given to, which had to claim it twice"),
        pytest.param(10.2, 2, 2, True, id="by somebody else"),
        pytest.param(12.0, 2, 3, True, id="by somebody else, from whoever had it meanwhile"),
    ],
)
def test_a_handed_over_room_is_no_takeover(at_s: float, node: int, epoch: int, *, is_blamed: bool) -> None:
    told = sorted([*MADE_AND_GIVEN, (at_s, node, "room adopted")])
    log = _log(*told, epochs=[epoch if what == "room adopted" else 1 for _, _, what in told])
    assert _is_blamed(log) == is_blamed
    assert placed(log.entries) == (node == 1)


@pytest.mark.parametrize("node", [0, 2])
def test_a_gift_excuses_nothing_but_itself(node: int) -> None:
    log = _log(*MADE_AND_GIVEN, (10.1, 1, "room adopted"), (12.0, node, "room adopted"))
    assert _is_blamed(log)
    changes = takeovers(log.entries, [_fault("kill", 11.0, 14.0, node=1)])
    assert [(change.loser, change.winner) for change in changes] == [(1, node)]
    assert takeovers_ms(changes) == [1_000]


def test_a_drain_right_after_a_gift_is_a_drain() -> None:
    log = _log(*MADE_AND_GIVEN, (10.1, 1, "room adopted"), (11.3, 2, "room adopted"))
    pauses = [SeenPause(11.2, 1, 7, "moving"), SeenPause(11.4, 1, 7, None)]
    changes = takeovers(log.entries, [_fault("drain", 11.1, 13.0, node=1)])
    assert drain_pauses_ms(changes, pauses) == [200]


@pytest.mark.parametrize(
    ("fault", "adopter", "epoch"),
    [
        pytest.param(_fault("kill", 10.1, 14.0), 2, 2, id="the giver was killed before anybody took it"),
        pytest.param(_fault("kill", 10.1, 14.0, node=1), 2, 3, id="the heir was killed before it could say so"),
        pytest.param(_fault("kill", 10.1, 14.0, node=1), 0, 3, id="so was it, and the giver has it again"),
    ],
)
def test_a_room_that_is_lost_on_its_way_is_taken_over(fault: InjectedFault, adopter: int, epoch: int) -> None:
    log = _log(*MADE_AND_GIVEN, (12.6, adopter, "room adopted"), epochs=[1, 1, epoch])
    changes = takeovers(log.entries, [fault])
    assert [(change.loser, change.winner) for change in changes] == [(fault.fault.node, adopter)]
    assert takeovers_ms(changes) == [2_500]


def test_what_was_given_to_one_process_was_not_given_to_the_next_in_its_place() -> None:
    log = _log(*MADE_AND_GIVEN)
    log.begin(1)
    log.note(1, LINE.format(f"room adopted {FACTS['room adopted'].format(epoch=2)}"))
    assert _is_blamed(log)
    assert placed(log.entries) == 0


def test_a_player_who_does_not_read_lengthens_no_pause() -> None:
    log = _log((1.0, 0, "room created"), (5.2, 2, "room adopted"))
    changes = takeovers(log.entries, [_fault("drain", 5.0, 8.0)])
    pauses = [
        SeenPause(5.1, 1, 7, "moving"),
        SeenPause(5.2, 2, 7, "moving"),
        SeenPause(5.5, 2, 7, None),
        SeenPause(8.9, 1, 7, None),
    ]
    assert drain_pauses_ms(changes, pauses) == [400]


def test_a_player_who_has_to_reconnect_waits_since_the_pause_began() -> None:
    log = _log((1.0, 0, "room created"), (5.2, 2, "room adopted"))
    changes = takeovers(log.entries, [_fault("drain", 5.0, 8.0)])
    pauses = [
        SeenPause(5.1, 1, 7, "moving"),
        SeenPause(6.9, 2, 7, "restart"),  # on the next connection
        SeenPause(7.0, 2, 7, None),
    ]
    assert drain_pauses_ms(changes, pauses) == [1_900]


def test_a_player_who_enters_a_running_room_ends_no_pause_of_another() -> None:
    log = _log((1.0, 0, "room created"), (5.2, 2, "room adopted"))
    changes = takeovers(log.entries, [_fault("drain", 5.0, 8.0)])
    pauses = [
        SeenPause(5.1, 1, 7, "moving"),
        SeenPause(5.2, 2, 7, None),  # connected to the owner, which still plays
        SeenPause(7.6, 1, 7, None),
    ]
    assert drain_pauses_ms(changes, pauses) == [2_500]


@pytest.mark.parametrize(
    ("adopted_s", "pauses", "longest_ms"),
    [
        pytest.param(5.2, [(4.9, 5.6)], 600, id="a lost link had begun it"),
        pytest.param(8.2, [(8.1, 8.5)], 400, id="the node gave the room up late"),
        pytest.param(5.2, [(4.9, 5.1), (5.2, 5.9), (6.0, 6.1)], 700, id="one of several"),
        pytest.param(5.2, [(4.1, 4.9), (7.0, 7.9)], None, id="others have nothing to do with it"),
    ],
)
def test_the_longest_pause_during_a_hand_over_counts(
    adopted_s: float, pauses: list[tuple[float, float]], longest_ms: int | None
) -> None:
    log = _log((1.0, 0, "room created"), (adopted_s, 2, "room adopted"))
    changes = takeovers(log.entries, [_fault("drain", 5.0, 10.0)])
    seen = [SeenPause(at_s, 1, 7, why) for pause in pauses for at_s, why in zip(pause, ("moving", None), strict=True)]
    assert drain_pauses_ms(changes, seen) == ([] if longest_ms is None else [longest_ms])


def test_a_room_that_is_drained_twice_pauses_twice() -> None:
    log = _log((1.0, 0, "room created"), (5.2, 1, "room adopted"), (15.2, 2, "room adopted"))
    changes = takeovers(log.entries, [_fault("drain", 5.0, 7.0), _fault("drain", 15.0, 17.0, node=1)])
    pauses = [
        SeenPause(5.1, 1, 7, "moving"),
        SeenPause(5.9, 1, 7, None),
        SeenPause(15.1, 1, 7, "moving"),
        SeenPause(15.2, 1, 7, None),
    ]
    assert drain_pauses_ms(changes, pauses) == [800, 100]
