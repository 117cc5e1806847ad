"""The rooms of quick matches that have not begun, and what people must agree on to be sent to one."""

from collections.abc import Mapping
from hashlib import blake2b

from msgspec import Struct

from warroom_games.codec import encode
from warroom_games.match import Match
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.ports.directory import OpenRoom
from warroom_server.room.match_messages import rating_id
from warroom_server.session.room_request import Proposal


class Kind(Struct, frozen=True):
    """What people must agree on to be sent to one room."""

    game: str
    rules_version: int
    seats: int
    options: bytes
    room_options: bytes

    @property
    def key(self) -> str:
        """What the directory calls it."""
        return blake2b(encode(self), digest_size=16).hexdigest()


def kind_of_proposal(proposal: Proposal) -> Kind:
    """Return the kind of a room that may be made."""
    info = proposal.game.info
    return Kind(info.id, info.rules_version, proposal.seats, proposal.options, encode(proposal.room_options))


def kind_of(match: Match) -> Kind | None:
    """Return the kind of a room; None if it is none of quick matches."""
    opened = match.opened
    options = opened.room_options
    if options.fill_after_ms is None or options.private or opened.reserved:
        return None
    return Kind(opened.game, opened.rules_version, opened.seats, opened.options, encode(options))


def rated_players(match: Match) -> list[str]:
    """Return who of those who sit in a room has a rating, if the match is rated."""
    sitters = (sitter for sitter in match.seats if sitter is not None)
    rated = (rating_id(sitter) for sitter in sitters if match.opened.room_options.rated)
    return [player for player in rated if player is not None]


def open_room(hosted: HostedRoom, skills: Mapping[str, int]) -> OpenRoom:
    """Return a room as it is published; *skills* are those of its players, as far as they are known."""
    match = hosted.room.match
    return OpenRoom(
        room=match.opened.room,
        epoch=hosted.epoch,
        free=match.seats.count(None),
        players=tuple(sitter.player for sitter in match.seats if sitter is not None),
        kicked=tuple(sorted(match.kicked)),
        skills=tuple(skills[player] for player in rated_players(match) if player in skills),
    )
