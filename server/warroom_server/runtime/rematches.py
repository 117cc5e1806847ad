"""Rematches: a new room with a new secret, where the players of the last match find their seats kept."""

from msgspec.structs import replace

from warroom_protocol.rooms import invitation
from warroom_server.rooms import commands, effects
from warroom_server.runtime.chores import Chores
from warroom_server.runtime.driver import Driver
from warroom_server.runtime.hosted import Hosted
from warroom_server.runtime.making import Maker
from warroom_server.session.identity import Signer
from warroom_server.session.proposals import Proposal


class Rematches:
    """Makes the room that a finished one asks for, once however often it asks."""

    def __init__(self, *, driver: Driver, maker: Maker, signer: Signer) -> None:
        self.chores = Chores()
        self._driver = driver
        self._maker = maker
        self._signer = signer

    def begin(self, hosted: Hosted, wish: effects.Rematch) -> None:
        """Make the room of a rematch, and tell the old room of it."""
        number = hosted.room.number
        self.chores.begin(
            self._make(hosted, wish), on_bug=lambda: self._driver.tell(number, commands.Rematched(to=None))
        )

    async def _make(self, hosted: Hosted, wish: effects.Rematch) -> None:
        match, number = hosted.room.match, hosted.room.number
        opened, wish_from = match.opened, self._maker.origin_of(number)
        proposal = Proposal(
            game=match.game,
            seats=len(match.seats),
            options=opened.options,
            # Seats are kept for players, so they cannot be dealt anew.
            room_options=replace(opened.room_options, seating="as_joined"),
            reserved=wish.reserved,
            bots=wish.bots,
            follows=number,
        )
        made = await self._maker.make(opened.creator, self._signer.rematch_ref(number), proposal, wish_from)
        if isinstance(made, int):
            key = self._signer.room_key(made) if opened.room_options.private else None
            self._driver.tell(number, commands.Rematched(made, invitation(made, key), key))
        else:
            self._driver.tell(number, commands.Rematched(to=None))
