"""Who owned which room when: take-overs and what explains them, as the lines of the nodes' logs tell it."""

from warroom_chaos.faults import Inflicted
from warroom_chaos.journal import Journal
from warroom_chaos.ownership import drain_pauses_ms, late_leases, self_takeovers, takeovers, takeovers_ms
from warroom_chaos.plan import Fault
from warroom_chaos.taps import Halt
from warroom_protocol.rooms import room_code

CODE = room_code(7)
LINE = "time=2026-01-01T00:00:00+0000 level=INFO logger=warroom_server.runtime.x {} room={} epoch=2 rev=3"


def _journal(*told: tuple[float, int, str]) -> Journal:
    """Return a journal of one room: when, by which node, what."""
    now_s = 0.0
    journal = Journal(lambda: now_s)
    for at_s, node, what in told:
        now_s = at_s
        journal.note(node, LINE.format(what, CODE))
        journal.note(node, "something else")
    return journal


def _fault(kind: str, *, at_s: float, node: int | None = 0, until_s: float | None = None) -> Inflicted:
    return Inflicted(Fault(0, kind, node), at_s, until_s or at_s)  # type: ignore[arg-type]


def test_a_room_of_a_killed_node_is_taken_over_and_nobody_is_to_blame() -> None:
    journal = _journal((1.0, 0, "room created"), (7.5, 2, "room adopted"))
    changes = takeovers(journal.entries, [_fault("kill", at_s=5.0)])
    assert [(change.room, change.loser, change.winner) for change in changes] == [(CODE, 0, 2)]
    assert takeovers_ms(changes) == [2_500]
    assert self_takeovers(changes) == []


def test_a_room_that_is_taken_from_a_living_node_is_damage() -> None:
    journal = _journal((1.0, 0, "room created"), (30.0, 2, "room adopted"))
    for faults in (
        [],
        [_fault("kill", at_s=5.0)],
        [_fault("kill", at_s=29.0, node=1)],
        [_fault("cut_clients", at_s=29.0)],
        [_fault("kill", at_s=31.0)],
    ):
        (damage,) = self_takeovers(takeovers(journal.entries, faults))
        assert (damage.count, damage.room, damage.sent_s) == ("self_takeovers", CODE, 30.0)


def test_a_node_that_renewed_too_late_was_not_renewing() -> None:
    journal = _journal((1.0, 0, "room created"), (29.0, 0, "lease lost"), (30.0, 2, "room adopted"))
    assert self_takeovers(takeovers(journal.entries, [])) == []
    assert late_leases(journal.entries, []) == 1
    assert late_leases(journal.entries, [_fault("cut_store", at_s=27.0)]) == 0
    long_ago = _journal((1.0, 0, "room created"), (2.0, 0, "lease lost"), (30.0, 2, "room adopted"))
    assert len(self_takeovers(takeovers(long_ago.entries, []))) == 1
    its_own = _journal((1.0, 0, "room created"), (2.0, 0, "lease lost"), (30.0, 0, "room adopted"))
    assert self_takeovers(takeovers(its_own.entries, [])) == []


def test_a_node_that_takes_its_own_room_in_again_has_lost_it_before() -> None:
    journal = _journal((1.0, 0, "room created"), (8.0, 0, "room adopted"))
    changes = takeovers(journal.entries, [_fault("restart_store", at_s=5.0, node=None)])
    assert takeovers_ms(changes) == []
    assert self_takeovers(changes) == []
    assert len(self_takeovers(takeovers(journal.entries, []))) == 1


def test_the_pause_at_a_drain_is_what_players_were_told() -> None:
    journal = _journal((1.0, 0, "room created"), (5.2, 1, "room adopted"))
    changes = takeovers(journal.entries, [_fault("drain", at_s=5.0, until_s=7.0)])
    halts = [
        Halt(2.0, 1, 7, "store"),  # before the drain
        Halt(2.5, 1, 7, None),
        Halt(5.1, 1, 7, "moving"),
        Halt(5.15, 2, 7, "moving"),
        Halt(5.2, 1, 7, "restart"),
        Halt(5.4, 1, 7, None),
        Halt(5.1, 3, 8, "moving"),  # another room
        Halt(5.2, 3, 8, None),
    ]
    assert takeovers_ms(changes) == []
    assert drain_pauses_ms(changes, halts) == [300]
