"""The open rooms of quick matches: published here, and asked for by players of all nodes."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from hashlib import blake2b
from typing import TypeAlias

from msgspec import Struct

from warroom_games.codec import encode
from warroom_games.match import Match
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.listings import Listings, OpenRoom, QuickAnswer, QuickRequest
from warroom_server.room.match_facts import rating_id
from warroom_server.session.room_proposal import Proposal

Skills: TypeAlias = Callable[[str, Sequence[str]], Awaitable[Mapping[str, int]]]
"""Return the known skills of players in a game, in thousandths."""


class Kind(Struct, frozen=True):
    """What players must agree on to be sent to the same room."""

    game: str
    rules_version: int
    seats: int
    options: bytes
    room_options: bytes

    @property
    def key(self) -> str:
        """The key of the kind in the directory."""
        return blake2b(encode(self), digest_size=16).hexdigest()


def kind_of_proposal(proposal: Proposal) -> Kind:
    """Return the kind of a proposed room."""
    info = proposal.game.info
    return Kind(info.id, info.rules_version, proposal.seats, proposal.options, encode(proposal.room_options))


def kind_of(match: Match) -> Kind | None:
    """Return the kind of a room; None if it is not for quick matches."""
    opened = match.opened
    options = opened.room_options
    if options.fill_after_ms is None or options.private or opened.reserved:
        return None
    return Kind(opened.game, opened.rules_version, opened.seats, opened.options, encode(options))


def rated_players(match: Match) -> list[str]:
    """Return the seated players of a rated match who have a rating."""
    sitters = (sitter for sitter in match.seats if sitter is not None)
    rated = (rating_id(sitter) for sitter in sitters if match.opened.room_options.rated)
    return [player for player in rated if player is not None]


def open_room(hosted: HostedRoom, skills: Mapping[str, int]) -> OpenRoom:
    """Return a room as it is published, with the known *skills* of its players."""
    match = hosted.room.match
    return OpenRoom(
        room=match.opened.room,
        epoch=hosted.epoch,
        free=match.seats.count(None),
        players=tuple(sitter.player for sitter in match.seats if sitter is not None),
        kicked=tuple(sorted(match.kicked)),
        skills=tuple(skills[player] for player in rated_players(match) if player in skills),
    )


class OpenRooms:
    """Publishes the rooms of this node that wait for players, and asks for those of all nodes."""

    def __init__(self, directory: Listings, owner: str, room_host: RoomHost, skills: Skills) -> None:
        self._directory = directory
        self.owner = owner
        self._room_host = room_host
        self.skills = skills
        self._kinds: dict[int, str] = {}
        """By published room, its kind."""

    async def ask(self, kind: str, request: QuickRequest) -> QuickAnswer:
        """Find a room of a kind and hold a seat there, or let the player make one."""
        return await self._directory.quick_match(kind, request)

    async def close(self, kind: str, room: int) -> None:
        """Close a room that could not be made."""
        await self._directory.publish_open(kind, self.owner, (), [room])

    async def publish(self, numbers: Sequence[int]) -> None:
        """Open those of the rooms that wait for players, and close the others."""
        here = [hosted for number in numbers if (hosted := self._room_host.get(number)) is not None]
        for hosted in here:
            if hosted.room.number not in self._kinds and (kind := kind_of(hosted.room.match)) is not None:
                self._kinds[hosted.room.number] = kind.key
        quick = [hosted for hosted in here if hosted.room.number in self._kinds]
        opened = {
            hosted.room.number: open_room(hosted, await self._skills_in(hosted.room.match))
            for hosted in quick
            if hosted.room.match.phase == "lobby"
        }
        for key in {self._kinds[number] for number in numbers if number in self._kinds}:
            of_kind = [number for number in numbers if self._kinds.get(number) == key]
            rooms = [opened[number] for number in of_kind if number in opened]
            gone = [number for number in of_kind if number not in opened]
            await self._directory.publish_open(key, self.owner, rooms, gone)
            for number in gone:  # not those opened just now: they are still to be closed
                if number not in self._room_host:
                    del self._kinds[number]

    async def _skills_in(self, match: Match) -> Mapping[str, int]:
        players = rated_players(match)
        return await self.skills(match.opened.game, players) if players else {}
