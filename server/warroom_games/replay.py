"""The replay of a match: its whole log in one file, which anybody can check against the rules.

    8 bytes   WARROOM and a line feed
    1 byte    the version of this format, 2
    the rest  canonical MessagePack: [commitment, [[entry 1, chain 1], [entry 2, chain 2], ...]]

The commitment is the SHA-256 of the seed, which everybody saw before the match. Entries and chain are those of
`warroom_games.log`. A player who noted the commitment at the start and the chain at the end can check that the file
records that match, and that nothing in it changed since the players sat down.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal, Protocol, TypeAlias

import msgspec
from msgspec import Struct

from warroom_games.api import Event, Result, RulesError, Seat, View
from warroom_games.codec import decode_action, encode
from warroom_games.log import (
    Acted,
    Agreed,
    Entry,
    LogError,
    Opened,
    Reclaimed,
    Resigned,
    RolledBack,
    StoodIn,
    TimedOut,
    Voided,
    commitment,
    decode_entry,
    is_outdated,
    opening_of,
)
from warroom_games.match import Match
from warroom_games.registry import Registry, RegistryError
from warroom_games.seating import Sitter
from warroom_protocol.rooms import room_code

Kind: TypeAlias = Literal["start", "action", "resign", "stand_in", "reclaim", "agree", "void", "roll_back"]
By: TypeAlias = Literal["player", "stand-in", "clock"]
"""Who acted for a seat: its player, the stand-in bot, or the clock."""

MAGIC = b"WARROOM\n"
VERSION = 2


class ReplayError(ValueError):
    """The bytes are not a replay, or the match cannot have happened like this; the text says where and why."""


class Verification(Struct, frozen=True):
    """The summary of a valid replay, and the values to compare with one's own notes."""

    room: int
    game: str
    rules_version: int
    players: tuple[Sitter | None, ...]
    steps: int
    """The number of its last step; the opening position is step 0."""
    result: Result
    seed: bytes
    commitment: bytes
    """The commitment as everybody saw it on joining."""
    chain: bytes
    """The chain as everybody saw it at the end."""


class ReplayStep(Struct, frozen=True):
    """One step of a match, with the complete state after it. Step 0 is the opening position."""

    step: int
    kind: Kind
    at: int
    """Room time in milliseconds."""
    seat: Seat | None
    by: By | None
    action: Any
    events: tuple[Event, ...]
    state: Any
    public: View
    private: tuple[View, ...]
    """The private view of each seat."""
    agreed: str | None = None
    """What all players agreed on: `draw`, `pause` or `resume`."""


class Linked(Protocol):
    """An entry of a log, from any store."""

    @property
    def entry(self) -> bytes:
        """The entry's bytes."""
        ...

    @property
    def chain(self) -> bytes:
        """The chain after it."""
        ...


class Link(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An entry and the chain after it."""

    entry: bytes
    chain: bytes


class _Replay(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    commitment: bytes
    links: tuple[Link, ...]


class _Folded(Struct, frozen=True):
    """One entry of the log, the match after it, and who acted, if anybody did."""

    entry: Entry
    match: Match
    events: tuple[Event, ...]
    by: By | None = None
    state_hash: bytes = b""


_replays = msgspec.msgpack.Decoder(_Replay)


def seal(log: Iterable[Linked]) -> bytes:
    """Return the replay of a finished match from its whole log."""
    links = tuple(Link(linked.entry, linked.chain) for linked in log)
    opened = decode_entry(links[0].entry) if links else None
    if not isinstance(opened, Opened):
        raise ReplayError("a log must start with the opening of its room")
    return MAGIC + bytes([VERSION]) + encode(_Replay(commitment(opened.seed), links))


def verify(data: bytes, games: Registry) -> Verification:
    """Run the whole match again; raise `ReplayError` at the first error."""
    rerun = Rerun(data, games)
    for _ in rerun.run():
        pass
    return rerun.result()


class Rerun:
    """A verification in small pieces, for callers with other work to do."""

    def __init__(self, data: bytes, games: Registry) -> None:
        self._replay = _read(data)
        self._games = games
        self._states = 0
        self.match: Match | None = None
        """The match after the last entry so far; None before the first."""
        self.state_hash = b""
        """The hash of its state if the chain covers it; else empty."""

    def run(self) -> Iterator[None]:
        """Go through the log, yielding after every entry; raise `ReplayError` at the first error."""
        for folded in _fold(self._replay, self._games):
            self.match, self.state_hash = folded.match, folded.state_hash
            self._states += folded.match.state is not None
            yield

    def result(self) -> Verification:
        """Return the result after the whole log was run."""
        match = self.match
        if match is None or match.result is None:
            raise ReplayError("the match has not ended")
        opened = match.opened
        return Verification(
            opened.room, opened.game, opened.rules_version, match.seats, max(self._states - 1, 0), match.result,
            opened.seed, self._replay.commitment, match.chain,
        )  # fmt: skip


def finding(found: Verification) -> dict[str, object]:
    """Return the summary of a valid replay as JSON-ready values."""
    return {
        "accepted": True,
        "room": room_code(found.room),
        "game": found.game,
        "rules_version": found.rules_version,
        "players": [sitter.name if sitter else None for sitter in found.players],
        "steps": found.steps,
        "ranks": found.result.ranks,
        "reason": found.result.reason,
        "left": found.result.left,
        "seed": found.seed.hex(),
        "commitment": found.commitment.hex(),
        "chain": found.chain.hex(),
    }


def steps(data: bytes, games: Registry) -> Iterator[ReplayStep]:
    """Yield the match step by step, verifying it on the way."""
    count = 0
    for folded in _fold(_read(data), games):
        if folded.match.state is not None:
            yield _step(count, folded)
            count += 1


def entries(data: bytes) -> list[Entry]:
    """Return the log of a replay without running the match."""
    try:
        return [decode_entry(linked.entry) for linked in _read(data).links]
    except LogError as error:
        raise ReplayError(f"the replay is damaged: {error}") from error


def links(data: bytes) -> tuple[Link, ...]:
    """Return the log of a replay as a store holds it, without running the match."""
    return _read(data).links


def acted_by(entry: Entry, before: Match) -> By | None:
    """Return who acted, given the match *before* the entry."""
    match entry:
        case Acted():
            return "player" if before.actor(entry) is before.sitter_at(entry.seat) else "stand-in"
        case TimedOut():
            return "clock"
        case Resigned() | Reclaimed():
            return "player"
        case _:
            return None


def _read(data: bytes) -> _Replay:
    """Return the contents of a well-formed replay."""
    if not data.startswith(MAGIC):
        raise ReplayError("this is not a Warroom replay: it does not start with WARROOM")
    version = data[len(MAGIC) : len(MAGIC) + 1]
    if version != bytes([VERSION]):
        raise ReplayError(f"unknown replay format {version.hex() or '(missing)'}; only {VERSION} is supported")
    body = data[len(MAGIC) + 1 :]
    try:
        replay = _replays.decode(body)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ReplayError(f"the replay is damaged{_place(str(error))}: some bytes were changed or lost") from error
    if encode(replay) != body:
        raise ReplayError("the replay is not in canonical form")
    return replay


def _place(problem: str) -> str:
    """Return the entry that the decoder failed at, if it was one."""
    found = re.search(r"\$\[1\]\[(\d+)\]", problem)
    return "" if found is None else f" at entry {int(found[1]) + 1}"


def _fold(replay: _Replay, games: Registry) -> Iterator[_Folded]:
    """Yield the match after each entry; raise `ReplayError` at the first error, with the reason."""
    try:
        yield from _checked(replay, games)
    except ReplayError as error:
        opened = _opening_of_outdated(replay)
        if opened is None:
            raise
        raise ReplayError(
            f"the installed rules of {opened.game} version {opened.rules_version} are not those this match was played "
            f"with; they changed without a new version: {error}"
        ) from error


def _opening_of_outdated(replay: _Replay) -> Opened | None:
    """Return the opening of a match that ended because its rules changed; None for any other."""
    try:
        first, last = (decode_entry(replay.links[place].entry) for place in (0, -1))
    except (LogError, IndexError):
        return None
    return first if isinstance(first, Opened) and is_outdated(last) else None


def _checked(replay: _Replay, games: Registry) -> Iterator[_Folded]:
    """Yield the match after each entry, checked against rules and chain."""
    match = None
    seen: set[tuple[Seat, int]] = set()
    for number, logged in enumerate(replay.links, start=1):
        try:
            entry = decode_entry(logged.entry)
            if match is None:
                folded = _Folded(entry, _open(entry, games, replay.commitment), ())
            else:
                advanced = match.advance(entry)
                by = acted_by(entry, match)
                folded = _Folded(entry, advanced.match, advanced.events, by, advanced.state_hash)
        except (LogError, RulesError) as error:
            raise ReplayError(f"entry {number}: {str(error).removeprefix(f'entry {number}: ')}") from error
        match = folded.match
        if match.chain != logged.chain:
            raise ReplayError(f"entry {number}: the hash chain is broken; this is not the entry that was played")
        if isinstance(entry, Acted):
            if (entry.seat, entry.id) in seen:
                raise ReplayError(f"entry {number}: seat {entry.seat} plays action {entry.id} a second time")
            seen.add((entry.seat, entry.id))
        yield folded


def _open(entry: Entry, games: Registry, committed: bytes) -> Match:
    opened = opening_of([entry])
    if commitment(opened.seed) != committed:
        raise LogError("the seed does not match the commitment")
    try:
        game = games.get(opened.game, opened.rules_version)
    except RegistryError as error:
        raise LogError(str(error)) from error
    return Match.open(opened, game)


def _step(count: int, folded: _Folded) -> ReplayStep:
    after, entry = folded.match, folded.entry
    kind, seat = _who(entry)
    action = decode_action(after.game, entry.action) if isinstance(entry, Acted | TimedOut) else None
    public = after.game.public(after.state)
    private = tuple(after.game.private(after.state, number) for number in range(len(after.seats)))
    agreed = entry.what if isinstance(entry, Agreed) else None
    return ReplayStep(
        count, kind, after.at, seat, folded.by, action, folded.events, after.state, public, private, agreed
    )


def _who(entry: Entry) -> tuple[Kind, Seat | None]:
    match entry:
        case Acted(seat=seat) | TimedOut(seat=seat):
            return "action", seat
        case Resigned(seat=seat):
            return "resign", seat
        case StoodIn(seat=seat):
            return "stand_in", seat
        case Reclaimed(seat=seat):
            return "reclaim", seat
        case Agreed():
            return "agree", None
        case Voided():
            return "void", None
        case RolledBack():
            return "roll_back", None
        case _:
            return "start", None
