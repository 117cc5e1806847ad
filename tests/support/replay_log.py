"""The log inside a replay, read by the documented form of the file."""

from collections import Counter
from collections.abc import Iterable

import msgpack

from warroom_games.log import Acted, Entry, TimedOut, decode_entry

HEAD_BYTES = 9


def entries(replay: bytes) -> list[Entry]:
    """Return every entry of the match, in order."""
    _, links = msgpack.unpackb(replay[HEAD_BYTES:])
    return [decode_entry(entry) for entry, _ in links]


def acted(replay: bytes) -> Counter[int]:
    """Return how often each action id is in the log."""
    return Counter(entry.id for entry in entries(replay) if isinstance(entry, Acted))


def time_outs(replay: bytes) -> list[TimedOut]:
    """Return the decisions that the clock made."""
    return [entry for entry in entries(replay) if isinstance(entry, TimedOut)]


def assert_each_once(replay: bytes, accepted: Iterable[int]) -> None:
    """Check that the log holds exactly the actions that players saw accepted: none lost, none doubled, none else."""
    assert acted(replay) == Counter(dict.fromkeys(accepted, 1))
