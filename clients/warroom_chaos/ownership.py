"""Who owned which room when: what the journal tells about take-overs, next to what was done to the nodes. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import inf
from typing import Final, TypeAlias

from msgspec import Struct

from warroom_chaos.audit import Damage
from warroom_chaos.faults import Inflicted
from warroom_chaos.journal import LEASE_HELD, LEASE_LOST, Entry
from warroom_chaos.moves import Move, moves
from warroom_chaos.taps import Halt
from warroom_protocol.rooms import room_code

ENDS: Final = frozenset({"kill", "drain"})
"""Faults that end a process: every room that it had goes to another, however long that takes."""
HOLDS_UP: Final = frozenset({"pause", "cut_store", "restart_store"})
"""Faults that keep a node from renewing its lease while they last."""
DISTURBS: Final = HOLDS_UP | {"rewind_store"}
"""Faults after which a node may have to make sure of its own rooms, also if it could renew its lease all the time."""
SILENCES: Final = frozenset({"kill", "pause", "cut_store"})
"""Those after which others have to find out by themselves."""
HELD_UP_S: Final = 1.0
"""A node that was held up for less has not lost its lease: that lasts two seconds, and it renews twice in each."""
SETTLED_S: Final = 3.0
"""How long after a node can renew again rooms may change hands: claims are under way, and its own are made anew."""
OWN_S: Final = 10.0
"""How long a node may take to go on with a room of its own that it had to let go."""
TOLD_S: Final = 1.0
"""How much later than it happened a line of a log may be read."""
STARVED_S: Final = 2.0
"""How long after its rooms were taken a node may find out itself that its lease has ended."""
DRAINED_S: Final = 2.0

_Doubts: TypeAlias = Mapping[int, Sequence[tuple[float, float]]]


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


class _Loss(Struct, frozen=True):
    """A room that a node had since *owned_s* and lost at *at_s*, to itself if *is_own*."""

    node: int
    owned_s: float
    at_s: float
    is_own: bool = False


def takeovers(entries: Sequence[Entry], faults: Sequence[Inflicted]) -> list[Takeover]:
    """Return every change of owners, as the nodes told it, but for those that the owners wanted themselves."""
    nodes = {entry.owner: entry.node for entry in entries if entry.owner}
    doubts = _doubts(entries, faults)
    found = []
    for move in moves(entries):
        if move.is_wanted and not move.is_roundabout:
            continue
        changes = [_takeover(move, loss, faults, doubts) for loss in _losses(move, nodes)]
        explained = [change for change in changes if change.why is not None or change.was_late]
        if explained:
            found.append(explained[0])
        elif not move.is_wanted:  # who wanted it may have had to claim it twice
            found.append(changes[0])
    return sorted(found, key=lambda change: change.at_s)


def _losses(move: Move, nodes: Mapping[str, int]) -> list[_Loss]:
    """Return who may have lost a room; *nodes* tells in which place each process ran."""
    losers = [(move.before.node, move.before.at_s)]
    if move.gift is not None and move.is_roundabout and move.gift.heir in nodes:
        losers.insert(0, (nodes[move.gift.heir], move.gift.at_s))
    at_s, winner = move.adopted.at_s, move.adopted.node
    # A line that says since when a room was owned may be read after the one that says that it was lost.
    return [_Loss(loser, min(owned_s, at_s), at_s, is_own=loser == winner) for loser, owned_s in losers]


def _takeover(move: Move, loss: _Loss, faults: Sequence[Inflicted], doubts: _Doubts) -> Takeover:
    why, was_late = _excuse(loss, faults), _was_late(loss, doubts)
    return Takeover(loss.at_s, move.adopted.room, loss.node, move.adopted.node, why, was_late)


def late_leases(entries: Sequence[Entry], faults: Sequence[Inflicted]) -> int:
    """Return how often a node renewed its lease too late although nothing was done to it: the machine is too busy."""
    lost = [entry for entry in entries if entry.what == LEASE_LOST]
    return sum(1 for entry in lost if _excuse(_Loss(entry.node, -inf, entry.at_s), faults) is None)


def takeovers_ms(changes: Sequence[Takeover]) -> list[int]:
    """Return how long each room of a silent node had no owner, until another one or the next process took it over."""
    return [
        round((change.at_s - change.why.began_s) * 1000)
        for change in changes
        if change.why is not None
        and change.why.fault.kind in SILENCES
        and (change.winner != change.loser or change.why.fault.kind in ENDS)
    ]


def drain_pauses_ms(changes: Sequence[Takeover], halts: Sequence[Halt]) -> list[int]:
    """Return how long rooms that were handed over at a drain stood still: until the first player saw them go on."""
    drains: dict[str, set[float]] = {}
    for change in changes:
        if change.why is not None and change.why.fault.kind == "drain":
            drains.setdefault(change.room, set()).add(change.why.began_s)
    return _pauses_ms(drains, DRAINED_S, halts)


def _pauses_ms(moved: Mapping[str, Collection[float]], within_s: float, halts: Sequence[Halt]) -> list[int]:
    """Return how long rooms stood still, each time that they moved, until the first player saw them go on.

    Not until the last one did: that may be who was kept from reading.
    """
    seen: dict[tuple[str, float], list[tuple[float, float]]] = {}
    for room, begin_s, end_s in _waits(halts):
        for moved_s in moved.get(room, ()):
            if moved_s <= begin_s <= moved_s + within_s:
                seen.setdefault((room, moved_s), []).append((begin_s, end_s))
    return [
        round((min(end_s for _, end_s in waits) - min(begin_s for begin_s, _ in waits)) * 1000)
        for waits in seen.values()
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


# --- what explains a loss -------------------------------------------------------------------------------------------


def _excuse(loss: _Loss, faults: Sequence[Inflicted]) -> Inflicted | None:
    """Return the last fault that explains that a node lost a room."""
    for each in reversed(faults):
        is_its_own = each.fault.node in (None, loss.node)
        if is_its_own and each.began_s <= loss.at_s and _explains(each, loss, faults):
            return each
    return None


def _explains(each: Inflicted, loss: _Loss, faults: Sequence[Inflicted]) -> bool:
    if each.fault.kind in ENDS:
        # What the next process in its place owns has nothing to do with it.
        return loss.owned_s <= each.began_s + TOLD_S
    able_s = _able_again_s(each, faults)
    if loss.is_own:
        return each.fault.kind in DISTURBS and loss.at_s <= able_s + OWN_S
    if each.fault.kind not in HOLDS_UP:
        return False
    is_long = min(_ended_s(each), loss.at_s) - each.began_s >= HELD_UP_S
    return is_long and loss.owned_s <= able_s and loss.at_s <= able_s + SETTLED_S


def _able_again_s(each: Inflicted, faults: Sequence[Inflicted]) -> float:
    """Return when a node could renew again after a fault: a slow store keeps it from opening new lines in time."""
    able_s = _ended_s(each)
    for other in faults:
        is_slow = other.fault.kind == "delay_store" and each.fault.node in (None, other.fault.node)
        if is_slow and other.began_s <= able_s + SETTLED_S:
            able_s = max(able_s, _ended_s(other))
    return able_s


def _ended_s(each: Inflicted) -> float:
    return inf if each.ended_s is None else each.ended_s


def _doubts(entries: Sequence[Entry], faults: Sequence[Inflicted]) -> _Doubts:
    """Return from when until when each node did not hold its lease, as it found out itself."""
    held = [(entry.node, entry.at_s) for entry in entries if entry.what == LEASE_HELD]
    # The next process in the place of one that was ended has a lease of its own.
    ended = [(each.fault.node, each.began_s) for each in faults if each.fault.kind in ENDS]
    doubts: dict[int, list[tuple[float, float]]] = {}
    for entry in entries:
        if entry.what == LEASE_LOST:
            ends = (at_s for node, at_s in (*held, *ended) if node == entry.node and at_s >= entry.at_s)
            doubts.setdefault(entry.node, []).append((entry.at_s, min(ends, default=inf)))
    return doubts


def _was_late(loss: _Loss, doubts: _Doubts) -> bool:
    """Whether a node had its room while it did not hold its lease, and lost it then or soon after."""
    after_s = OWN_S if loss.is_own else SETTLED_S
    return any(
        loss.owned_s <= held_s and lost_s - STARVED_S <= loss.at_s <= held_s + after_s
        for lost_s, held_s in doubts.get(loss.node, ())
    )


def _waits(halts: Sequence[Halt]) -> Iterator[tuple[str, float, float]]:
    """Yield each pause that a player saw begin and end on one line."""
    since: dict[tuple[int, int], float] = {}
    for halt in halts:
        key = (halt.line, halt.room)
        if halt.reason is not None:
            since.setdefault(key, halt.at_s)
        elif key in since:
            yield room_code(halt.room), since.pop(key), halt.at_s
