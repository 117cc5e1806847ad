"""Rematches: a new room with a new secret, in which the players of the last match have reserved seats."""

from msgspec.structs import replace

from warroom_games.log import LogError, Opened, RoomOptions, decode_entry
from warroom_games.match import Match
from warroom_games.spectating import with_least_delay
from warroom_protocol.rooms import invitation
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.room_factory import RoomFactory
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.store import Store
from warroom_server.room import commands, effects
from warroom_server.session.room_proposal import Proposal
from warroom_server.session.signer import Signer


class Rematches:
    """Makes the room of a rematch, once however often it is asked for."""

    def __init__(self, room_host: RoomHost, events: RoomEvents, room_factory: RoomFactory, signer: Signer) -> None:
        self.tasks = Tasks()
        self._room_host = room_host
        self._room_factory = room_factory
        self._signer = signer
        events.rematch_wanted.append(self._begin)

    def _begin(self, hosted: HostedRoom, wish: effects.Rematch) -> None:
        """Make the room of a rematch, and tell the old room."""
        number = hosted.room.number
        self.tasks.begin(
            self._make(hosted, wish), on_bug=lambda: self._room_host.tell(number, commands.Rematched(to=None))
        )

    async def _make(self, hosted: HostedRoom, wish: effects.Rematch) -> None:
        match, number = hosted.room.match, hosted.room.number
        opened, wish_from = match.opened, self._room_factory.origin_of(number)
        proposal = Proposal(
            game=match.game,
            seats=len(match.seats),
            options=opened.options,
            room_options=_room_options(match),
            reserved=wish.reserved,
            bots=wish.bots,
            follows=number,
        )
        made = await self._room_factory.make(opened.creator, self._signer.rematch_ref(number), proposal, wish_from)
        if isinstance(made, int):
            self._room_host.tell(number, rematched(self._signer, made, is_private=opened.room_options.private))
        else:
            self._room_host.tell(number, commands.Rematched(to=None))


def _room_options(match: Match) -> RoomOptions:
    """Return the options of a match's rematch."""
    # Seats are reserved for players, so they are not dealt again.
    options = replace(match.opened.room_options, seating="as_joined")
    # The match may be older than the rule for its delay.
    return with_least_delay(match.game.info, len(match.seats), options)


def rematched(signer: Signer, to: int, *, is_private: bool) -> commands.Rematched:
    """Return the command that tells a room about its rematch, the room *to*."""
    key = signer.room_key(to) if is_private else None
    return commands.Rematched(to, invitation(to, key), key)


async def find_rematch(
    store: Store, signer: Signer, room: int, *, creator: str, is_private: bool
) -> commands.Rematched | None:
    """Return the command that tells a room about a rematch made before that still runs; None if there is none."""
    # The first number that a rematch tries is practically always free.
    to = signer.room_number(creator, signer.rematch_ref(room), 0)
    stored = await store.load(to)
    try:
        opened = None if stored is None else decode_entry(stored.opening)
    except LogError:
        return None
    is_it = isinstance(opened, Opened) and opened.follows == room
    return rematched(signer, to, is_private=is_private) if is_it else None
