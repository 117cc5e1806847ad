"""The open rooms of quick matches: published here, and asked for by players of all nodes."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from hashlib import blake2b
from typing import TypeAlias

from warroom_games.codec import encode
from warroom_games.log import RoomOptions
from warroom_games.match import Match
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.listings import Listings, OpenRoom
from warroom_server.room.match_messages import rated_seats
from warroom_server.session.room_proposal import Proposal

Skills: TypeAlias = Callable[[str, Sequence[str]], Awaitable[Mapping[str, int]]]
"""Return the known skills of players in a game, in thousandths."""


def _key(game: str, rules_version: int, seats: int, options: bytes, room_options: RoomOptions) -> str:
    """Return the key of a kind of rooms in the directory: what players must agree on to be sent to the same room."""
    kind = {"game": game, "rules_version": rules_version, "seats": seats, "options": options}
    return blake2b(encode({**kind, "room_options": encode(room_options)}), digest_size=16).hexdigest()


def kind_of_proposal(proposal: Proposal) -> str:
    """Return the kind of a proposed room."""
    info = proposal.game.info
    return _key(info.id, info.rules_version, proposal.seats, proposal.options, proposal.room_options)


def kind_of(match: Match) -> str | None:
    """Return the kind of a room; None if it is not for quick matches."""
    opened = match.opened
    options = opened.room_options
    if options.fill_after_ms is None or options.private or opened.reserved:
        return None
    return _key(opened.game, opened.rules_version, opened.seats, opened.options, options)


def rated_players(match: Match) -> list[str]:
    """Return the seated players of a rated match who have a rating."""
    return list(rated_seats(match).values()) if match.opened.room_options.rated else []


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
    """Publishes the rooms of this node that wait for players; the *directory* knows those of all nodes."""

    def __init__(self, directory: Listings, owner: str, room_host: RoomHost, skills: Skills) -> None:
        self.directory = directory
        self.owner = owner
        self._room_host = room_host
        self.skills = skills
        self._kinds: dict[int, str] = {}
        """By published room, its kind."""

    async def close(self, kind: str, room: int) -> None:
        """Close a room that could not be made."""
        await self.directory.publish_open(kind, self.owner, (), [room])

    async def publish(self, numbers: Sequence[int]) -> None:
        """Open those of the rooms that wait for players, and close the others."""
        by_kind: dict[str, tuple[list[OpenRoom], list[int]]] = {}
        for number in numbers:
            hosted = self._room_host.get(number)
            if hosted is not None and number not in self._kinds and (kind := kind_of(hosted.room.match)) is not None:
                self._kinds[number] = kind
            if (key := self._kinds.get(number)) is None:
                continue
            opened, gone = by_kind.setdefault(key, ([], []))
            if hosted is not None and hosted.room.match.phase == "lobby":
                game, players = hosted.room.match.opened.game, rated_players(hosted.room.match)
                opened.append(open_room(hosted, await self.skills(game, players)))
            else:
                gone.append(number)
        for key, (opened, gone) in by_kind.items():
            await self.directory.publish_open(key, self.owner, opened, gone)
            for number in gone:  # not those opened just now: they are still to be closed
                if number not in self._room_host:
                    del self._kinds[number]
