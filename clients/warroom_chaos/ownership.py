"""Who owned which room when: what the journal tells about take-overs, next to what was done to the nodes. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from warroom_chaos.audit import Damage
from warroom_chaos.faults import Inflicted
from warroom_chaos.journal import LEASE_LOST, Entry
from warroom_chaos.taps import Halt
from warroom_protocol.rooms import room_code

EXCUSES: Final = frozenset({"kill", "pause", "drain", "cut_store", "delay_store", "restart_store"})
"""Faults that keep a node from renewing its lease, so that others may take its rooms."""
SILENCES: Final = frozenset({"kill", "pause", "cut_store"})
"""Those after which others have to find out by themselves."""
EXCUSED_S: Final = 10.0
"""How long after such a fault rooms may still be taken over: a lease, and the time to find and load them."""
DRAINED_S: Final = 2.0


class Takeover(Struct, frozen=True):
    """A room that got another owner, or the same one once more; *why* is the fault that explains it.

    *was_late* says that the loser had found out itself that it renewed its lease too late, as on a busy machine.
    """

    at_s: float
    room: str
    loser: int
    winner: int
    why: Inflicted | None
    was_late: bool = False


def takeovers(entries: Sequence[Entry], faults: Sequence[Inflicted]) -> list[Takeover]:
    """Return every change of owners, as the nodes told it."""
    owners: dict[str, int] = {}
    owned_s: dict[str, float] = {}
    late: dict[int, float] = {}
    found = []
    for entry in entries:
        if entry.what == LEASE_LOST:
            late[entry.node] = entry.at_s
            continue
        loser = owners.get(entry.room)
        if entry.what == "room adopted" and loser is not None:
            why = _excuse(entry.at_s, loser, faults)
            # A room that a node lost with its lease and takes in again may have waited for somebody to ask for it.
            since_s = owned_s[entry.room] if loser == entry.node else entry.at_s - EXCUSED_S
            was_late = late.get(loser, since_s) > since_s
            found.append(Takeover(entry.at_s, entry.room, loser, entry.node, why, was_late))
        owners[entry.room], owned_s[entry.room] = entry.node, entry.at_s
    return found


def late_leases(entries: Sequence[Entry], faults: Sequence[Inflicted]) -> int:
    """Return how often a node renewed its lease too late although nothing was done to it: the machine is too busy."""
    lost = [entry for entry in entries if entry.what == LEASE_LOST]
    return sum(1 for entry in lost if _excuse(entry.at_s, entry.node, faults) is None)


def takeovers_ms(changes: Sequence[Takeover]) -> list[int]:
    """Return how long after the fault each room of a silent node had another owner."""
    return [
        round((change.at_s - change.why.began_s) * 1000)
        for change in changes
        if change.why is not None and change.why.fault.kind in SILENCES and change.winner != change.loser
    ]


def drain_pauses_ms(changes: Sequence[Takeover], halts: Sequence[Halt]) -> list[int]:
    """Return how long each player of a room that was handed over at a drain was told to wait."""
    drained = {
        change.room: change.why.began_s
        for change in changes
        if change.why is not None and change.why.fault.kind == "drain"
    }
    return [
        round((end_s - begin_s) * 1000)
        for room, begin_s, end_s in _waits(halts)
        if room in drained and drained[room] <= begin_s <= drained[room] + DRAINED_S
    ]


def self_takeovers(changes: Sequence[Takeover]) -> list[Damage]:
    """Return the rooms that were taken from a node that was alive and able to renew its lease."""
    return [
        Damage(
            count="self_takeovers",
            why=f"node {change.winner} took it from node {change.loser}, which was alive",
            room=change.room,
            sent_s=change.at_s,
        )
        for change in changes
        if change.why is None and not change.was_late
    ]


def _excuse(at_s: float, loser: int, faults: Sequence[Inflicted]) -> Inflicted | None:
    """Return the last fault that explains that a node lost a room."""
    for each in reversed(faults):
        ended_s = at_s if each.ended_s is None else each.ended_s
        is_near = each.began_s <= at_s <= ended_s + EXCUSED_S
        if is_near and each.fault.kind in EXCUSES and each.fault.node in (None, loser):
            return each
    return None


def _waits(halts: Sequence[Halt]) -> Iterator[tuple[str, float, float]]:
    """Yield each pause that a player saw begin and end on one line."""
    since: dict[tuple[int, int], float] = {}
    for halt in halts:
        key = (halt.line, halt.room)
        if halt.reason is not None:
            since.setdefault(key, halt.at_s)
        elif key in since:
            yield room_code(halt.room), since.pop(key), halt.at_s
