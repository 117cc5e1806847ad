"""Matches of sealed bids that are written into a store as an owner left them that is gone."""

from collections.abc import Iterable

from sealed_bids import GAME

from warroom_games.codec import decode_options, encode
from warroom_games.fingerprint import fingerprint
from warroom_games.log import Entry, Opened, RoomOptions, Sat, Started, StoodIn, encode_entry
from warroom_games.match import Match
from warroom_server.ports.store import SNAPSHOT_EVERY, Append, Committed, Store
from warroom_server.room.log_fold import LogFold

ROOM = 4_711
OWNER = "gone"
EPOCH = 1
ROOM_OPTIONS = RoomOptions(seating="as_joined")


def opened(room_options: RoomOptions = ROOM_OPTIONS) -> Opened:
    """Return the opening of a room for two."""
    options = encode(decode_options(GAME, {}))
    return Opened(ROOM, "sealed_bids", 1, 2, options, room_options, "ada", 1, bytes(range(16)), 0)


def started(first: str = "ada", second: str = "bob") -> tuple[Entry, ...]:
    """Return how two players sit down and begin."""
    return Sat(0, first, "Ada"), Sat(1, second, "Bob"), Started(0)


def long_match() -> tuple[Entry, ...]:
    """Return a match that has two snapshots, the first of them after its start."""
    bots = (StoodIn(1, 1, f"bot-{number}", "Bot", "warden") for number in range(2 * SNAPSHOT_EVERY))
    return *started(), *bots


async def write_match(store: Store, entries: Iterable[Entry], opening: Opened | None = None) -> int:
    """Write a match with its snapshots, and return its room."""
    first = opened() if opening is None else opening
    log = LogFold(Match.open(first, GAME))
    assert await store.create(_request(1, encode_entry(first), log.match.chain, rules=fingerprint(GAME)))
    for entry in entries:
        candidate = log.prepare(entry)
        log.adopt(candidate)
        rev = log.match.rev
        assert await store.append([_request(rev, candidate.append.entry, log.match.chain)]) == [Committed(rev)]
        if rev % SNAPSHOT_EVERY == 0:
            await store.save(ROOM, OWNER, EPOCH, rev=rev, snapshot=log.dump())
    return ROOM


async def append_raw(store: Store, rev: int, entry: bytes, chain: bytes) -> None:
    """Append an entry that nobody folds before."""
    assert await store.append([_request(rev, entry, chain)]) == [Committed(rev)]


def _request(rev: int, entry: bytes, chain: bytes, *, rules: str = "") -> Append:
    return Append(ROOM, rev, entry, chain, OWNER, EPOCH, rules=rules)
