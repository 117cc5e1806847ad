"""Finds changes of room owners in the ownership log, and the faults that explain them; does no I/O."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Final, TypeAlias

from msgspec import Struct

from warroom_chaos.audit import Damage
from warroom_chaos.fault_injector import InjectedFault
from warroom_chaos.ownership_log import LEASE_HELD, LEASE_LOST, Entry
from warroom_chaos.room_moves import Move, moves
from warroom_chaos.wire_taps import SeenPause
from warroom_protocol.rooms import room_code

ENDS: Final = frozenset({"kill", "drain"})
"""Faults that end a process; all of its rooms get another owner sooner or later."""
HOLDS_UP: Final = frozenset({"pause", "cut_store", "restart_store"})
"""Faults that prevent a node from renewing its lease."""
DISTURBS: Final = HOLDS_UP | {"rewind_store"}
"""Faults after which a node may have to claim its own rooms again, even if it kept its lease."""
SILENCES: Final = frozenset({"kill", "pause", "cut_store"})
"""Faults that the other nodes must detect by themselves."""
HELD_UP_S: Final = 1.0
"""A shorter hold-up cannot cost the lease, which lasts two seconds and is renewed twice per second."""
SETTLED_S: Final = 3.0
"""Time after a hold-up in which rooms may still change owners: claims are in flight, and the node reclaims its own."""
OWN_S: Final = 10.0
"""Time limit for a node to resume a room of its own that it had dropped."""
TOLD_S: Final = 1.0
"""Maximum delay between an event and the reading of its log line."""
STARVED_S: Final = 2.0
"""Time in which a node may notice the loss of its lease after its rooms were taken."""

_Doubts: TypeAlias = Mapping[int, Sequence[tuple[float, float]]]


class Takeover(Struct, frozen=True):
    """A room that got another owner, or the same one again; *why* is the fault that explains it.

    *was_late*: the loser logged that it renewed its lease too late, as on a busy machine.
    """

    at_s: float
    room: str
    loser: int
    winner: int
    why: InjectedFault | None
    was_late: bool = False


class _Loss(Struct, frozen=True):
    """A room that a node owned from *owned_s* and lost at *at_s*, to itself if *is_own*."""

    node: int
    owned_s: float
    at_s: float
    is_own: bool = False


def takeovers(entries: Sequence[Entry], faults: Sequence[InjectedFault]) -> list[Takeover]:
    """Return every change of owners in the logs, except intended hand-overs."""
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
        elif not move.is_wanted:  # an intended receiver may have claimed the room twice
            found.append(changes[0])
    return sorted(found, key=lambda change: change.at_s)


def _losses(move: Move, nodes: Mapping[str, int]) -> list[_Loss]:
    """Return the possible losers of a room; *nodes* maps process ids to nodes."""
    losers = [(move.before.node, move.before.at_s)]
    if move.gift is not None and move.is_roundabout and move.gift.heir in nodes:
        losers.insert(0, (nodes[move.gift.heir], move.gift.at_s))
    at_s, winner = move.adopted.at_s, move.adopted.node
    # The log line of the old owner may be read after that of the new one.
    return [_Loss(loser, min(owned_s, at_s), at_s, is_own=loser == winner) for loser, owned_s in losers]


def _takeover(move: Move, loss: _Loss, faults: Sequence[InjectedFault], doubts: _Doubts) -> Takeover:
    why, was_late = _excuse(loss, faults), _was_late(loss, doubts)
    return Takeover(loss.at_s, move.adopted.room, loss.node, move.adopted.node, why, was_late)


def late_leases(entries: Sequence[Entry], faults: Sequence[InjectedFault]) -> int:
    """Return how often a node renewed its lease too late without a fault: the machine is too busy."""
    lost = [entry for entry in entries if entry.what == LEASE_LOST]
    return sum(1 for entry in lost if _excuse(_Loss(entry.node, -inf, entry.at_s), faults) is None)


def takeovers_ms(changes: Sequence[Takeover]) -> list[int]:
    """Return how long each room of a dead or silent node had no owner."""
    return [
        round((change.at_s - change.why.began_s) * 1000)
        for change in changes
        if change.why is not None
        and change.why.fault.kind in SILENCES
        and (change.winner != change.loser or change.why.fault.kind in ENDS)
    ]


def drain_pauses_ms(changes: Sequence[Takeover], pauses: Sequence[SeenPause]) -> list[int]:
    """Return the longest pause of each room while a drain hands it over.

    A pause that had begun before, as with a lost link, counts from the start of the drain.
    """
    drains: dict[str, dict[float, float]] = {}
    for change in changes:
        if change.why is not None and change.why.fault.kind == "drain":
            drains.setdefault(change.room, {})[change.why.began_s] = change.at_s + TOLD_S
    longest: dict[tuple[str, float], int] = {}
    for room, begin_s, end_s in _waits(pauses):
        for drain_s, moved_s in drains.get(room, {}).items():
            if begin_s <= moved_s and end_s >= drain_s:
                pause_ms = round((end_s - max(begin_s, drain_s)) * 1000)
                longest[room, drain_s] = max(pause_ms, longest.get((room, drain_s), 0))
    return list(longest.values())


def self_takeovers(changes: Sequence[Takeover]) -> list[Damage]:
    """Return the rooms taken from a node that was alive and able to renew its lease."""
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


# --- explanations ---------------------------------------------------------------------------------------------------


def _excuse(loss: _Loss, faults: Sequence[InjectedFault]) -> InjectedFault | None:
    """Return the last fault that explains the loss of a room."""
    for each in reversed(faults):
        is_its_own = each.fault.node in (None, loss.node)
        if is_its_own and each.began_s <= loss.at_s and _explains(each, loss, faults):
            return each
    return None


def _explains(each: InjectedFault, loss: _Loss, faults: Sequence[InjectedFault]) -> bool:
    if each.fault.kind in ENDS:
        # The fault does not explain losses of the next process of this node.
        return loss.owned_s <= each.began_s + TOLD_S
    able_s = _able_again_s(each, faults)
    if loss.is_own:
        return each.fault.kind in DISTURBS and loss.at_s <= able_s + OWN_S
    if each.fault.kind not in HOLDS_UP:
        return False
    is_long = min(_ended_s(each), loss.at_s) - each.began_s >= HELD_UP_S
    return is_long and loss.owned_s <= able_s and loss.at_s <= able_s + SETTLED_S


def _able_again_s(each: InjectedFault, faults: Sequence[InjectedFault]) -> float:
    """Return when a node could renew its lease after a fault; a slow store delays its new connections."""
    able_s = _ended_s(each)
    for other in faults:
        is_slow = other.fault.kind == "delay_store" and each.fault.node in (None, other.fault.node)
        if is_slow and other.began_s <= able_s + SETTLED_S:
            able_s = max(able_s, _ended_s(other))
    return able_s


def _ended_s(each: InjectedFault) -> float:
    return inf if each.ended_s is None else each.ended_s


def _doubts(entries: Sequence[Entry], faults: Sequence[InjectedFault]) -> _Doubts:
    """Return, by node, the intervals in which the node knew that it had lost its lease."""
    held = [(entry.node, entry.at_s) for entry in entries if entry.what == LEASE_HELD]
    # A restarted process has a lease of its own.
    ended = [(each.fault.node, each.began_s) for each in faults if each.fault.kind in ENDS]
    doubts: dict[int, list[tuple[float, float]]] = {}
    for entry in entries:
        if entry.what == LEASE_LOST:
            ends = (at_s for node, at_s in (*held, *ended) if node == entry.node and at_s >= entry.at_s)
            doubts.setdefault(entry.node, []).append((entry.at_s, min(ends, default=inf)))
    return doubts


def _was_late(loss: _Loss, doubts: _Doubts) -> bool:
    """Whether a node owned the room while it had no lease, and lost it then or soon after."""
    after_s = OWN_S if loss.is_own else SETTLED_S
    return any(
        loss.owned_s <= held_s and lost_s - STARVED_S <= loss.at_s <= held_s + after_s
        for lost_s, held_s in doubts.get(loss.node, ())
    )


def _waits(pauses: Sequence[SeenPause]) -> Iterator[tuple[str, float, float]]:
    """Yield each pause, from the first player who saw it begin to the first of those who saw its end.

    Pauses of players that overlap are one. The last player does not count: a fault may have stopped it from reading.
    """
    begun: dict[int, tuple[float, float]] = {}
    for room, begin_s, end_s in sorted(_seen(pauses)):
        first_s, last_s = begun.get(room, (begin_s, end_s))
        if begin_s > last_s:
            yield room_code(room), first_s, last_s
            first_s, last_s = begin_s, end_s
        begun[room] = first_s, min(last_s, end_s)
    for room, (first_s, last_s) in begun.items():
        yield room_code(room), first_s, last_s


def _seen(pauses: Sequence[SeenPause]) -> Iterator[tuple[int, float, float]]:
    """Yield each pause as one player saw it: the room, its begin and its end.

    A player whose connection was closed meanwhile sees the end on a later one. Other players who come back are told
    as well that the room is running, and end nobody's pause.
    """
    since: dict[tuple[int, int], float] = {}
    for halt in pauses:
        key = (halt.room, halt.line)
        if halt.reason is not None:
            since.setdefault(key, halt.at_s)
        elif key in since:
            yield halt.room, since.pop(key), halt.at_s
    for (room, line), begin_s in since.items():
        later = (halt.at_s for halt in pauses if (halt.room, halt.reason) == (room, None) and halt.line > line)
        end_s = next((at_s for at_s in later if at_s >= begin_s), None)
        if end_s is not None:
            yield room, begin_s, end_s
