"""The rooms of a node in the order in which lists show them, kept up to date so that nobody goes through all rooms."""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator
from heapq import merge
from itertools import islice
from typing import TypeAlias, TypeVar

from msgspec import Struct

from warroom_games.log import Opened
from warroom_games.match import Match
from warroom_games.seating import Sitter
from warroom_protocol.messages import RoomListing
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.lobby.room_lists import Found, Wanted

LISTED = 100
"""How many rooms a listing shows."""
REMEMBERED = 4_096
"""Of how many rooms that left the lists it is known where they were, so that a list goes on after one of them."""

_Name = TypeVar("_Name", Wanted, str)
_Dated: TypeAlias = tuple[int, int]
"""When a room was opened, and its number."""


class _Filed(Struct, frozen=True):
    """Where a room is filed, and why there."""

    kind: Wanted
    dated: _Dated
    phase: str
    seats: tuple[Sitter | None, ...]
    players: tuple[str, ...]


class _Far(Struct, frozen=True):
    """A room of another node, as it is listed."""

    peer: str
    listing: RoomListing


class RoomIndex:
    """Files the rooms that anybody may look for by game, phase, whether a seat is free, and by who sits there.

    It has to be told of every room that changed or went. It knows rooms by number only, and so keeps none alive;
    *get* returns those that are here. A rematch would tell that the match before is over: it is not filed before
    spectators know. Rooms of other nodes are filed as these say; one that is here is never another's.
    """

    def __init__(self, get: Callable[[int], HostedRoom | None]) -> None:
        self._get = get
        self._filed: dict[int, _Filed] = {}
        self._kinds: dict[Wanted, list[_Dated]] = {}
        """By game, phase and whether a seat is free, the rooms from the oldest to the newest."""
        self._seated: dict[str, list[_Dated]] = {}
        """By player, the rooms from the oldest to the newest."""
        self._untold: dict[int, int] = {}
        """By room whose end spectators have not seen, the room of its rematch."""
        self._far: dict[int, _Far] = {}
        self._left: dict[int, _Dated] = {}
        """The last rooms that left the lists."""
        self.on_noted: Callable[[int], None] = lambda _: None
        """Called with every room that is here, or was, and may be listed otherwise than before."""

    def __len__(self) -> int:
        return len(self._filed)

    def find(self, wanted: Wanted) -> Found | None:
        """Return the rooms that are wanted, as anybody may know them and not over for anybody, the newest first.

        None, if only older ones are wanted than a room that never was in a list, or left it too long ago.
        """
        before = None if wanted.before is None else self._dated(wanted.before)
        if before is None and wanted.before is not None:
            return None
        if wanted.player is None:
            numbers = self._of_kinds(wanted, before)
        else:
            numbers = self._of_player(wanted.player, wanted, before)
        listings = (listing for number in numbers if (listing := self._listing(number)) is not None)
        return tuple(islice(listings, LISTED))

    def _dated(self, number: int) -> _Dated | None:
        filed = self._filed.get(number)
        return self._left.get(number) if filed is None else filed.dated

    def _listing(self, number: int) -> RoomListing | None:
        if (far := self._far.get(number)) is not None:
            return far.listing
        hosted = self._get(number)
        return None if hosted is None else hosted.room.listing()

    def rooms_of(self, player: str) -> Iterator[int]:
        """Return the rooms where *player* sits, the newest first; none may change meanwhile."""
        return (number for _, number in _newest_first(self._seated.get(player, [])))

    def note(self, hosted: HostedRoom) -> None:
        """File a room that is new here, or that may have changed."""
        self._note(hosted)
        self._tell_rematch(hosted.room.number)
        self.on_noted(hosted.room.number)

    def forget(self, number: int) -> None:
        """Take out a room that is not here any more."""
        self._unfile(number)
        self._tell_rematch(number)
        self.on_noted(number)

    # --- rooms of other nodes -----------------------------------------------------------------------------------

    def near(self) -> Iterator[int]:
        """Return the rooms of this node that anybody may look for."""
        return (number for number in list(self._filed) if number not in self._far)

    def is_near(self, number: int) -> bool:
        """Whether a room is here, and anybody may look for it."""
        return number in self._filed and number not in self._far

    def note_far(self, peer: str, listing: RoomListing, opened_ms: int) -> None:
        """File a room of another node."""
        number = listing.room
        if self._get(number) is not None:
            return
        self._unfile(number)
        self._far[number] = _Far(peer, listing)
        is_open = listing.phase == "lobby" and listing.taken < listing.seats
        players = tuple(player.player for player in listing.players)
        kind = Wanted(listing.game, listing.phase, is_open)
        self._put(_Filed(kind, (opened_ms, number), listing.phase, (), players))

    def forget_far(self, peer: str, number: int) -> None:
        """Take out a room that another node has no longer."""
        far = self._far.get(number)
        if far is not None and far.peer == peer:
            self._unfile(number)

    def far(self, peer: str) -> list[int]:
        """Return the rooms of another node."""
        return [number for number, far in self._far.items() if far.peer == peer]

    def _note(self, hosted: HostedRoom) -> None:
        match = hosted.room.public_match
        opened = match.opened
        filed = self._filed.get(opened.room)
        if filed is not None and filed.phase == match.phase and filed.seats is match.seats:
            return
        self._unfile(opened.room)
        if not match.is_over and self.is_for_all(hosted):
            self._file(match, opened)

    def is_for_all(self, hosted: HostedRoom) -> bool:
        """Whether anybody may hear of a room: it is not private, and tells nobody the end of a match too early."""
        opened = hosted.room.match.opened
        return not (opened.room_options.private or self._tells_of_an_end(opened))

    def _tells_of_an_end(self, opened: Opened) -> bool:
        """Whether a room is the rematch of a match that goes on for spectators; then it is filed later."""
        before = None if opened.follows is None else self._get(opened.follows)
        if before is None or before.room.is_publicly_over:
            return False
        self._untold[before.room.number] = opened.room
        return True

    def _tell_rematch(self, number: int) -> None:
        """File the rematch of a room, if that had to wait and need not wait any longer."""
        rematch = self._get(self._untold.pop(number)) if number in self._untold else None
        if rematch is not None:
            self._note(rematch)

    def _unfile(self, number: int) -> None:
        filed = self._filed.pop(number, None)
        if filed is not None:
            _take_out(self._kinds, filed.kind, filed.dated)
            for player in filed.players:
                _take_out(self._seated, player, filed.dated)
            self._left[number] = filed.dated
            if len(self._left) > REMEMBERED:
                del self._left[next(iter(self._left))]
        self._far.pop(number, None)

    def _file(self, match: Match, opened: Opened) -> None:
        is_open = match.phase == "lobby" and None in match.seats
        kind, dated = Wanted(opened.game, match.phase, is_open), (opened.opened_ms, opened.room)
        self._put(_Filed(kind, dated, match.phase, match.seats, tuple(_players(match.seats))))

    def _put(self, filed: _Filed) -> None:
        self._filed[filed.dated[1]] = filed
        self._left.pop(filed.dated[1], None)
        insort(self._kinds.setdefault(filed.kind, []), filed.dated)
        for player in filed.players:
            insort(self._seated.setdefault(player, []), filed.dated)

    def _of_kinds(self, wanted: Wanted, before: _Dated | None) -> Iterator[int]:
        fitting = (_newest_first(rooms, before) for kind, rooms in self._kinds.items() if _fits(kind, wanted))
        return (number for _, number in merge(*fitting, reverse=True))

    def _of_player(self, player: str, wanted: Wanted, before: _Dated | None) -> Iterator[int]:
        rooms = _newest_first(self._seated.get(player, []), before)
        return (number for _, number in rooms if _fits(self._filed[number].kind, wanted))


def _players(seats: Iterable[Sitter | None]) -> Iterator[str]:
    return (sitter.player for sitter in seats if sitter is not None)


def _newest_first(shelf: list[_Dated], before: _Dated | None = None) -> Iterator[_Dated]:
    end = len(shelf) if before is None else bisect_left(shelf, before)
    return (shelf[index] for index in range(end - 1, -1, -1))


def _take_out(shelves: dict[_Name, list[_Dated]], name: _Name, dated: _Dated) -> None:
    shelf = shelves[name]
    del shelf[bisect_left(shelf, dated)]
    if not shelf:
        del shelves[name]


def _fits(kind: Wanted, wanted: Wanted) -> bool:
    """Whether rooms of a kind are wanted, the player apart."""
    is_asked_for = wanted.game in (None, kind.game) and wanted.phase in (None, kind.phase)
    return is_asked_for and (kind.is_open or not wanted.is_open)
