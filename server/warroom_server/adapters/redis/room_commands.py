"""Commands for the keys of rooms, and how to read their replies."""

import logging
from collections.abc import Sequence
from typing import TypeAlias

from msgspec.structs import replace

from warroom_protocol.rooms import room_code
from warroom_server.adapters.redis.command_sender import (
    Command,
    CommandSender,
    Reply,
    as_bytes,
    as_items,
    as_number,
    as_text,
    script,
    sound,
)
from warroom_server.adapters.redis.errors import is_of_wrong_type
from warroom_server.adapters.redis.keys import NODES, room_keys, rooms_key
from warroom_server.ports import store

logger = logging.getLogger(__name__)

RoomCommand: TypeAlias = tuple[int, Command]
"""A room, and a command for its keys."""


def listing_of(owner: str, *rooms: int) -> tuple[Command, Command]:
    """Return the commands that list rooms under their owner: the set first, so that an unlisted node's set is empty."""
    return ("SADD", rooms_key(owner), *(room_keys(room).code for room in rooms)), ("SADD", NODES, owner)


def append_of(append: store.Append) -> Command:
    """Return the command that appends an entry."""
    keys = room_keys(append.room)
    values = append.owner, append.epoch, append.rev, append.entry, append.chain
    repair = () if append.before is None else (append.before, append.nonce, append.rules)
    return script("append_entry", (keys.record, keys.log, keys.replay), *values, *repair)


def answer_of(append: store.Append, reply: Reply) -> store.AppendAnswer | store.Behind:
    """Return the answer in the reply to such a command."""
    if is_spoilt(append.room, reply):
        return store.Fenced()
    match sound(reply):
        case b"COMMITTED":
            return store.Committed(append.rev)
        case b"FENCED":
            return store.Fenced()
        case int(head):
            return store.Behind(head)
        case other:
            raise store.UnavailableError(f"room {append.room}: {other!r} is no answer to an append")


def is_spoilt(room: int, reply: Reply) -> bool:
    """Whether the keys of a room were overwritten by somebody else: a retry would block every other room for ever."""
    if is_of_wrong_type(reply):
        logger.error("room spoilt in the store room=%s error=%r", room_code(room), str(reply))
        return True
    return False


async def ask_each(line: CommandSender, asked: Sequence[RoomCommand], *, before: Sequence[Command] = ()) -> list[Reply]:
    """Run one command for each room, after *before*; the reply is None for a room whose keys were overwritten."""
    replies = await line.ask([command for _, command in asked], before=before) if asked else []
    for reply in replies[: len(before)]:
        sound(reply)
    pairs = zip(asked, replies[len(before) :], strict=True)
    return [None if is_spoilt(room, reply) else sound(reply) for (room, _), reply in pairs]


def stored_room(room: int, reply: Reply) -> store.StoredRoom | None:
    """Return the room in the reply of the script `load`; None if there is none, or it cannot be read."""
    try:
        stored = None if reply is None else _stored(room, reply)
    except (store.UnavailableError, ValueError) as error:
        logger.warning("room cannot be read room=%s error=%r", room_code(room), str(error))
        return None
    if stored is not None and not stored.entries:
        logger.error("room without a log room=%s", room_code(room))
        return None
    return stored


def _stored(room: int, reply: Reply) -> store.StoredRoom:
    owner, epoch, older, entries, rules, handoff, life = as_items(reply)
    snapshot = as_items(older)
    return store.StoredRoom(
        room=room,
        owner=as_text(owner),
        epoch=as_number(epoch),
        snapshot=(as_number(snapshot[0]), as_bytes(snapshot[1])) if snapshot else None,
        entries=entries_of(entries),
        rules=as_text(rules),
        handoff=as_bytes(handoff),
        life=as_number(life),
    )


def past_of(stored: store.StoredRoom) -> Command:
    """Return the command that reads the entries up to a room's snapshot."""
    assert stored.snapshot is not None, "a room without a snapshot was loaded with its whole log"
    return ("XRANGE", room_keys(stored.room).log, "1-0", f"{stored.snapshot[0]}-0")


def with_past(stored: store.StoredRoom, reply: Reply) -> store.StoredRoom | None:
    """Return a room with the entries up to its snapshot; None if some are missing, or the room has ended since."""
    try:
        past = () if reply is None else tuple(logged.entry for logged in entries_of(reply))
    except (store.UnavailableError, ValueError) as error:
        logger.warning("room cannot be read room=%s error=%r", room_code(stored.room), str(error))
        return None
    if stored.snapshot is None or len(past) != stored.snapshot[0]:
        logger.error("log is short room=%s entries=%d", room_code(stored.room), len(past))
        return None
    return replace(stored, past=past)


def whereabouts_of(reply: Reply) -> store.Whereabouts | None:
    """Return the owner and epoch in the record of a room; None if there is none."""
    owner, epoch = as_items(reply)
    return None if owner is None else store.Whereabouts(as_text(owner), as_number(epoch))


def entries_of(reply: Reply) -> tuple[store.LogEntry, ...]:
    """Return the entries in a part of a log."""
    return tuple(_entry(item) for item in as_items(reply))


def _entry(reply: Reply) -> store.LogEntry:
    identity, fields = as_items(reply)
    _, entry, _, chain, *_ = as_items(fields)
    return store.LogEntry(
        rev=as_number(as_bytes(identity).partition(b"-")[0]), entry=as_bytes(entry), chain=as_bytes(chain)
    )
