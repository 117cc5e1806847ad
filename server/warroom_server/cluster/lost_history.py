"""What other nodes tell of history that they acknowledged and the log lacks: checked, and then acted upon.

A word of a cut may come late: the log may have been filled again since, or the room have gone to another node. Only
what this node knows for certain, or the log shows, begins another life of a room: that is announced, and voids its
rating.
"""

from collections.abc import Callable

from warroom_server.cluster.messages import Cut
from warroom_server.cluster.takeover import Takeover
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_host import RoomHost
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.store import Store, UnavailableError
from warroom_server.room.commands import Repair


class Cuts:
    """Hears of cuts; *is_deaf* says whether this node cannot act on a room now, *hurry* takes in those that wait."""

    def __init__(
        self,
        store: Store,
        *,
        room_host: RoomHost,
        takeover: Takeover,
        is_deaf: Callable[[int], bool],
        hurry: Callable[[], None],
    ) -> None:
        self.tasks = Tasks()
        self._store = store
        self._room_host = room_host
        self._takeover = takeover
        self._is_deaf = is_deaf
        self._hurry = hurry

    def heard(self, cut: Cut) -> None:
        """Begin another life of a room of which another node knows more than the log has, unless it is known here."""
        hosted = self._room_host.get(cut.room)
        if self._is_deaf(cut.room):
            return  # it is told again, whoever owns the room then
        if hosted is None:
            self._takeover.add_told(cut)
            self._hurry()
        elif _is_overtaken(hosted, cut):
            return
        elif hosted.room.has_entry(cut.rev, cut.chain):
            self._room_host.tell(cut.room, Repair())  # it may have been told before the store had all of it again
        elif hosted.room.has_forgotten(cut.rev):
            self.tasks.begin(self._look_up(cut))
        else:
            self._roll_back(hosted, cut)

    async def _look_up(self, cut: Cut) -> None:
        """See whether the log has an entry that is too old to be known here."""
        try:
            (chain,) = await self._store.chains([(cut.room, cut.rev)])
        except UnavailableError:
            return  # it is told again
        hosted = self._room_host.get(cut.room)
        if chain == cut.chain or hosted is None or self._is_deaf(cut.room) or _is_overtaken(hosted, cut):
            return
        if chain is None:
            # The store is behind what it acknowledged here, which has its own end.
            self._room_host.tell(cut.room, Repair())
        else:
            self._roll_back(hosted, cut)

    def _roll_back(self, hosted: HostedRoom, cut: Cut) -> None:
        self._room_host.roll_back(hosted, cut.life + 1)
        self._hurry()


def _is_overtaken(hosted: HostedRoom, cut: Cut) -> bool:
    """Whether a room is over, or was told to begin another life since."""
    return hosted.room.is_over or hosted.room.match.life > cut.life
