"""Who owned which room when: what the journal tells about take-overs, next to what was done to the nodes. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from warroom_chaos.audit import Damage
from warroom_chaos.faults import Inflicted
from warroom_chaos.journal import Entry

EXCUSES: Final = frozenset({"kill", "pause", "drain", "cut_store", "delay_store", "restart_store"})
"""Faults that keep a node from renewing its lease, so that others may take its rooms."""
EXCUSED_S: Final = 5.0
"""How long after such a fault rooms may still be taken over: a lease, and the time to find and load them."""


def takeovers_ms(entries: Sequence[Entry], faults: Sequence[Inflicted]) -> list[int]:
    """Return how long each room was without an owner after its node was killed."""
    return [
        round((entry.at_s - fault.began_s) * 1000)
        for entry, fault in _taken(entries, faults)
        if fault.fault.kind == "kill"
    ]


def drain_pauses_ms(entries: Sequence[Entry]) -> list[int]:
    """Return how long each room that was handed over at a drain had no owner."""
    given: dict[str, float] = {}
    pauses = []
    for entry in entries:
        room = entry.facts.get("room", "")
        if entry.what == "room handed over":
            given[room] = entry.at_s
        elif entry.what == "room adopted" and room in given:
            pauses.append(round((entry.at_s - given.pop(room)) * 1000))
    return pauses


def self_takeovers(entries: Sequence[Entry], faults: Sequence[Inflicted]) -> list[Damage]:
    """Return the rooms that were taken from a node that was alive and able to renew its lease."""
    owners = _owners(entries)
    excused = {id(entry) for entry, _ in _taken(entries, faults)}
    return [
        Damage(
            count="self_takeovers",
            why=f"node {entry.node} took it from node {owners[entry.facts['from']]}, which was alive",
            room=entry.facts.get("room", ""),
            sent_s=entry.at_s,
        )
        for entry in _adopted(entries)
        if entry.facts.get("from") in owners and id(entry) not in excused
    ]


def _taken(entries: Sequence[Entry], faults: Sequence[Inflicted]) -> Iterator[tuple[Entry, Inflicted]]:
    """Yield each take-over with the last fault that explains it."""
    owners = _owners(entries)
    for entry in _adopted(entries):
        loser = owners.get(entry.facts.get("from", ""))
        for each in reversed(faults):
            ended_s = entry.at_s if each.ended_s is None else each.ended_s
            is_near = each.began_s <= entry.at_s <= ended_s + EXCUSED_S
            if is_near and each.fault.kind in EXCUSES and each.fault.node in (None, loser):
                yield entry, each
                break


def _owners(entries: Sequence[Entry]) -> dict[str, int]:
    """Return which node each incarnation was."""
    return {entry.facts.get("owner", ""): entry.node for entry in entries if entry.what == "node up"}


def _adopted(entries: Sequence[Entry]) -> Iterator[Entry]:
    return (entry for entry in entries if entry.what == "room adopted")
