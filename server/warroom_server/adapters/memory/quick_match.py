"""The open rooms of quick matches in this process alone: the same as `quick_match.lua` and `publish_open.lua`."""

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import TypeVar

from msgspec import Struct

from warroom_server.ports.listings import REMEMBERED, OpenRoom, QuickAnswer, QuickRequest, QuickRules, Verdict

_SITS, _NEAR, _FAR = range(3)
_Key = TypeVar("_Key")


class _Hold(Struct, frozen=True):
    """Until when a seat is held for a player, and the player's skill."""

    till: int
    skill: int | None


class _Room(Struct):
    """An open room, or one that somebody makes until the moment *making*."""

    owner: str
    told: OpenRoom
    since: int
    at: int
    held: dict[str, _Hold] = {}
    making: int | None = None

    def gap(self, request: QuickRequest, now: int) -> float | None:
        """Return how far the player's skill is from the mean of the room; None if there is no seat."""
        self.held = {player: hold for player, hold in self.held.items() if hold.till > now}
        others = [hold for player, hold in self.held.items() if player != request.player]
        if self.told.free <= len(others) or request.player in self.told.kicked:
            return None
        known = [*self.told.skills, *(hold.skill for hold in others if hold.skill is not None)]
        return abs(sum(known) / len(known) - request.skill) if known and request.skill is not None else 0.0

    def verdict(self, *, is_maker: bool) -> Verdict:
        """Return what a player has to do who is sent here."""
        return "join" if self.making is None else "make" if is_maker else "making"


class OpenRooms:
    """The open rooms of one kind."""

    def __init__(self, now_ms: Callable[[], int], rules: QuickRules) -> None:
        self._now_ms = now_ms
        self._rules = rules
        self._rooms: dict[int, _Room] = {}
        self._answers: dict[tuple[str, int], int] = {}
        self._holds: dict[str, int] = {}
        """By player, the end of the last hold."""

    def publish(self, owner: str, rooms: Sequence[OpenRoom], gone: Sequence[int]) -> None:
        """Open rooms, and close others."""
        now = self._now_ms()
        for number in gone:
            known = self._rooms.get(number)
            if known is not None and known.owner == owner:
                del self._rooms[number]
                for player in (player for player, hold in known.held.items() if hold.till > now):
                    self._holds.pop(player, None)  # the seat was held until the room closed: the player did not miss it
        for room in rooms:
            known = self._rooms.get(room.room)
            if known is None and len(self._rooms) < self._rules.most_open:
                known = self._rooms[room.room] = _Room(owner, room, now, now)
            if known is not None and known.told.epoch <= room.epoch:
                known.owner, known.told, known.at, known.making = owner, room, now, None
                for player in room.players:
                    known.held.pop(player, None)
                    self._holds.pop(player, None)

    def find(self, request: QuickRequest) -> QuickAnswer:
        """Find a room and hold a seat there; or let the player make one."""
        now = self._now_ms()
        self._prune(request, now)
        asked = request.player, request.ref
        answer = self._answers.get(asked)
        if answer is not None and answer != request.missing:
            known = self._rooms.get(answer)
            return QuickAnswer(known.verdict(is_maker=answer == request.room) if known else "join", answer)
        rank, chosen = min(self._ranked(request, now), key=itemgetter(0), default=((_NEAR, 0.0, 0), None))
        if rank[0] == _FAR and request.waited_ms < self._rules.patience_ms:
            return QuickAnswer("wait", request.room)
        is_maker = chosen is None
        chosen = request.room if chosen is None else chosen
        if is_maker and len(self._rooms) < self._rules.most_open:
            told = OpenRoom(chosen, 0, request.seats)
            self._rooms[chosen] = _Room(request.owner, told, now, now, making=now + self._rules.making_ms)
        if rank[0] != _SITS:
            self._hold(chosen, request, now)
        _remember(self._answers, asked, chosen)
        return QuickAnswer("make" if is_maker else self._rooms[chosen].verdict(is_maker=False), chosen)

    def _prune(self, request: QuickRequest, now: int) -> None:
        for number, room in list(self._rooms.items()):
            is_lapsed = now - room.at > self._rules.lapsed_ms and room.owner not in request.owners
            if number == request.missing or is_lapsed or (room.making is not None and now > room.making):
                del self._rooms[number]

    def _ranked(self, request: QuickRequest, now: int) -> Iterator[tuple[tuple[int, float, int], int]]:
        """Yield the rooms with a seat, each after its rank; the least rank is the best."""
        for number, room in self._rooms.items():
            if room.owner not in request.owners or number in request.excluded:
                continue
            gap = room.gap(request, now)
            window = self._rules.window * (1 + (now - room.since + request.waited_ms) / self._rules.widens_ms)
            if request.player in room.told.players:
                yield (_SITS, 0, 0), number
            elif gap is not None:
                yield (_NEAR, room.told.free, room.since) if gap <= window else (_FAR, gap, 0), number

    def _hold(self, number: int, request: QuickRequest, now: int) -> None:
        """Hold one seat at a time: a hold moves to the new room and ends when it would have ended."""
        last = self._holds.get(request.player)
        if last is None or now >= last + self._rules.rest_ms:
            _remember(self._holds, request.player, now + self._rules.held_ms)
        for room in self._rooms.values():
            room.held.pop(request.player, None)
        if number in self._rooms:
            self._rooms[number].held[request.player] = _Hold(self._holds[request.player], request.skill)


def _remember(known: dict[_Key, int], key: _Key, value: int) -> None:
    """Note something anew, and forget the oldest of too many."""
    known.pop(key, None)
    known[key] = value
    if len(known) > REMEMBERED:
        del known[next(iter(known))]
