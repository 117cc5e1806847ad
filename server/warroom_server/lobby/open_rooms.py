"""The open rooms of quick matches, in the order in which people are led into them."""

from collections.abc import Iterator

from msgspec import Struct

from warroom_games.codec import encode
from warroom_games.match import Match
from warroom_games.seating import Sitter
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.session.room_request import Proposal


class Kind(Struct, frozen=True):
    """What people must agree on to be led into one room."""

    game: str
    rules_version: int
    seats: int
    options: bytes
    room_options: bytes


class _Filed(Struct, frozen=True):
    """Where a room is filed: under its kind, by how many seats are taken."""

    kind: Kind
    taken: int
    seats: tuple[Sitter | None, ...]


class OpenRooms:
    """Files rooms by kind and by how full they are; it has to be told of every room that changed or went."""

    def __init__(self) -> None:
        self._filed: dict[int, _Filed] = {}
        self._kinds: dict[Kind, dict[int, dict[int, None]]] = {}
        """By kind and by how many seats are taken, the rooms in the order in which they came to that."""

    def __contains__(self, number: int) -> bool:
        return number in self._filed

    def __len__(self) -> int:
        return len(self._filed)

    def fullest(self, kind: Kind) -> Iterator[int]:
        """Return the rooms of a kind where a seat is free, the fullest first; none may change meanwhile."""
        shelves = self._kinds.get(kind, {})
        return (number for taken in sorted(shelves, reverse=True) if taken < kind.seats for number in shelves[taken])

    def note(self, hosted: HostedRoom) -> bool:
        """File a room that is new here or may have changed; return whether something changed that matters."""
        match = hosted.room.match
        number = match.opened.room
        filed = self._filed.get(number)
        if match.phase != "lobby":
            return self.forget(number)
        if (filed is not None and filed.seats is match.seats) or not _is_quick(match):
            return False
        self.forget(number)
        kind = kind_of(match) if filed is None else filed.kind
        taken = len(match.seats) - match.seats.count(None)
        self._filed[number] = _Filed(kind, taken, match.seats)
        self._kinds.setdefault(kind, {}).setdefault(taken, {})[number] = None
        return True

    def forget(self, number: int) -> bool:
        """Take out a room that began or is gone; return whether it was here."""
        filed = self._filed.pop(number, None)
        if filed is None:
            return False
        shelves = self._kinds[filed.kind]
        del shelves[filed.taken][number]
        if not shelves[filed.taken]:
            del shelves[filed.taken]
        if not shelves:
            del self._kinds[filed.kind]
        return True


def kind_of_proposal(proposal: Proposal) -> Kind:
    """Return the kind of a room that may be made."""
    info = proposal.game.info
    return Kind(info.id, info.rules_version, proposal.seats, proposal.options, encode(proposal.room_options))


def kind_of(match: Match) -> Kind:
    """Return the kind of a room."""
    opened = match.opened
    return Kind(opened.game, opened.rules_version, opened.seats, opened.options, encode(opened.room_options))


def _is_quick(match: Match) -> bool:
    opened = match.opened
    return opened.room_options.fill_after_ms is not None and not opened.room_options.private and not opened.reserved
