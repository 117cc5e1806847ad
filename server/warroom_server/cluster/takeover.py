"""Takes rooms of other nodes over: rooms of dead nodes, rooms that are offered, and rooms that nobody else took."""

from collections.abc import Sequence

from warroom_server.cluster.handover import Handover
from warroom_server.ports.store import Orphan
from warroom_server.restoring.room_loader import RoomLoader


class Takeover:
    """Queues rooms of other nodes for the *loader*, which claims and hosts them."""

    def __init__(self, loader: RoomLoader, handover: Handover) -> None:
        self._loader = loader
        self._handover = handover

    def offered(self, orphans: Sequence[Orphan]) -> None:
        """Take rooms over that their owner has just released. They come before all others: their players are waiting.

        Else they would wait behind all rooms of a node that died in the same second.
        """
        if not self._loader.is_leaving:
            self._loader.add(orphans, is_urgent=True)
            self._loader.hurry()

    async def adopt(self, orphans: Sequence[Orphan]) -> None:
        """Take over rooms whose owner has no lease, own rooms that nobody took, and all queued rooms."""
        await self._loader.repair_logs()
        if not self._loader.is_leaving:
            self._loader.add([*orphans, *self._handover.take_back()])
            await self._loader.work()
