"""Rooms that this node owns but cannot host, because their rules are missing here or have changed.

A room whose game, or this version of its rules, is missing stays in the store, and its clock stands still. It goes to
the first node that has the rules. If none comes in time, it ends without a result.

If the rules changed under the same version, the log of a match does not fold to the recorded chains, so its state is
unknown. It ends without a result, and players who come back are told why. A damaged log is a different case, as far as
`rules_fit` can tell: it stays as it is.
"""

import asyncio
import logging
from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import Struct

from warroom_games.api import AnyGame
from warroom_games.log import Entry, Voided, encode_entry, is_outdated, link, opening_of
from warroom_games.registry import RulesVersion
from warroom_games.replay import seal
from warroom_protocol import codes
from warroom_protocol.rooms import room_code
from warroom_server.ports.records import MatchRecord
from warroom_server.ports.store import Append, Committed, RoomRelease, Store, StoredRoom, UnavailableError
from warroom_server.ports.time import Clock
from warroom_server.restoring.rules_fit import whole_log
from warroom_server.restoring.waiting_clients import EndNotice
from warroom_server.storage.archiver import Archiver
from warroom_server.storage.match_records import record_without_result

logger = logging.getLogger(__name__)

WAIT_MS: Final = 3_600_000
"""How long a room waits for its rules."""
LOOK_MS: Final = 2_000
"""How often the node looks for another one that has them."""
NAMED: Final = 20
"""The limit of rooms that one log line names; the line has the number of all."""
REMEMBERED: Final = 4096
"""The limit of rooms whose end is remembered here; players learn of it from the replay as well."""


class _WithoutRules(Struct, frozen=True):
    """A room that waits for its rules, and the state that its next owner needs besides the log."""

    rules: RulesVersion
    epoch: int
    handoff: bytes
    since: int


class _Outdated(Struct, frozen=True):
    """A room that ends because its rules changed: its last entry, and its record."""

    game: AnyGame
    end: Append
    record: MatchRecord
    end_notice: EndNotice


@dataclass(eq=False)
class UnplayableRooms:
    """Keeps rooms that cannot be hosted until they end or another node owns them.

    *pass_on* releases a room and offers it to a node that has its rules, if there is one. *gone* is called with each
    room that ended here.
    """

    _store: Store
    _archiver: Archiver
    _clock: Clock
    _owner: str
    _keep_s: int
    _pass_on: Callable[[RoomRelease, RulesVersion], Awaitable[None]]
    _gone: Callable[[int], None]

    def __post_init__(self) -> None:
        self._without_rules: dict[int, _WithoutRules] = {}
        self._look_at = 0
        self._outdated: dict[int, _Outdated] = {}
        self._new: list[_Outdated] = []
        """The outdated rooms that were not logged yet."""
        self._ended: OrderedDict[int, EndNotice] = OrderedDict()

    def __contains__(self, number: int) -> bool:
        return number in self._without_rules or number in self._outdated

    def refusal(self, number: int) -> str | EndNotice | None:
        """Return the code or notice for clients of a room that is kept here, or ended here recently; else None."""
        if number in self._without_rules:
            return codes.RULES_UNAVAILABLE
        outdated = self._outdated.get(number)
        return self._ended.get(number) if outdated is None else outdated.end_notice

    async def look(self) -> None:
        """End rooms or pass them on, and forget those that another node owns. What the store does not answer waits."""
        await self._end_outdated()
        await self._look_for_rules()

    # --- missing rules --------------------------------------------------------------------------------------------

    def add_without_rules(self, stored: StoredRoom, rules: RulesVersion) -> None:
        """Keep a room that this node owns and has no rules for."""
        logger.warning("room waits room=%s game=%s rules_version=%d not installed", room_code(stored.room), *rules)
        self._without_rules[stored.room] = _WithoutRules(rules, stored.epoch, stored.handoff, since=self._clock.now())
        self._look_at = 0

    async def _look_for_rules(self) -> None:
        """Ask each primary separately: one of them may be away or hang."""
        now, by_primary = self._clock.now(), defaultdict[str, list[int]](list)
        if now < self._look_at:
            return
        self._look_at = now + LOOK_MS
        for number in self._without_rules:
            by_primary[self._store.primary_of(number)].append(number)
        await asyncio.gather(*(self._look_in(*part) for part in by_primary.items()))

    async def _look_in(self, primary: str, numbers: Sequence[int]) -> None:
        try:
            for number, found in zip(numbers, await self._store.whereabouts(numbers), strict=True):
                room = self._without_rules.get(number)
                if room is None:
                    continue  # an earlier look at a primary that hung has dealt with it
                if found is None or found.owner != self._owner:
                    del self._without_rules[number]
                elif self._clock.now() - room.since >= WAIT_MS:
                    await self._end_without_rules(number, room)
                else:
                    await self._pass_on(RoomRelease(number, self._owner, room.epoch, room.handoff), room.rules)
        except UnavailableError as error:
            logger.warning("rooms without rules not looked at primary=%s reason=%r", primary, str(error))

    async def _end_without_rules(self, number: int, room: _WithoutRules) -> None:
        replay = seal(await self._store.log(number))
        is_ended = await self._store.archive(
            number, self._owner, room.epoch, replay=replay, ended_ms=self._clock.wall_ms(), keep_s=self._keep_s
        )
        if is_ended:  # else another node has just claimed it, and the next look forgets it
            logger.error("room ended without its rules room=%s rules=%s", room_code(number), room.rules)
            del self._without_rules[number]
            self._gone(number)

    # --- changed rules --------------------------------------------------------------------------------------------

    def add_outdated(self, stored: StoredRoom, game: AnyGame) -> None:
        """End a room whose log does not fold with the rules of this node; raise `LogError` if the log is damaged."""
        log = whole_log(stored)
        opened = opening_of(log)
        record = record_without_result(opened, log, ended_ms=self._clock.wall_ms(), detail=codes.RULES_CHANGED)
        end_notice = EndNotice(game.info.name, frozenset(record.players), is_public=not opened.room_options.private)
        room = self._outdated[stored.room] = _Outdated(game, _end(stored, log), record, end_notice)
        self._new.append(room)

    async def _end_outdated(self) -> None:
        self._tell_operator()
        for number, room in list(self._outdated.items()):
            try:
                (answer,) = await self._store.append([room.end])
            except UnavailableError as error:
                logger.warning("room not ended yet room=%s reason=%r", room_code(number), str(error))
                continue
            del self._outdated[number]
            if isinstance(answer, Committed):
                self._archive(number, room)

    def _archive(self, number: int, room: _Outdated) -> None:
        last = room.end.rev, room.end.chain
        self._ended[number] = room.end_notice
        if len(self._ended) > REMEMBERED:
            self._ended.popitem(last=False)
        self._archiver.archive(room.end.epoch, last, room.record, seal=seal, done=lambda: None)
        self._gone(number)

    def _tell_operator(self) -> None:
        """Log once for each game what changed, which matches end, and what prevents it."""
        by_game: defaultdict[AnyGame, list[str]] = defaultdict(list)
        for room in self._new:
            by_game[room.game].append(room_code(room.end.room))
        self._new.clear()
        for game, rooms in by_game.items():
            more = f",... ({len(rooms) - NAMED} more)" if len(rooms) > NAMED else ""
            logger.error(
                "rules of %s changed without a new version game=%s rules_version=%d matches=%d rooms=%s: these matches "
                "end without a result (rules.changed); raise rules_version when a change of the rules matters",
                game.info.name, game.info.id, game.info.rules_version, len(rooms), ",".join(rooms[:NAMED]) + more,
            )  # fmt: skip


def _end(stored: StoredRoom, log: Sequence[Entry]) -> Append:
    """Return the entry that ends a match whose state is unknown."""
    head = stored.entries[-1]
    if is_outdated(log[-1]):  # an earlier owner wrote it, and did not store the replay
        return Append(stored.room, head.rev, head.entry, head.chain, stored.owner, stored.epoch)
    at = max((getattr(entry, "at", 0) for entry in log), default=0)
    entry = encode_entry(Voided(at, codes.RULES_CHANGED))
    chain = link(head.chain, entry)
    return Append(stored.room, head.rev + 1, entry, chain, stored.owner, stored.epoch)
