"""A game that brings a bug along: a server in memory that hosts it cannot store a replay, and nobody foresaw that."""

from sealed_bids import GAME

from warroom_server.adapters.memory.store import MemoryStore

__all__ = ["GAME"]


async def _stumble(*arguments: object, **more: object) -> None:
    raise ZeroDivisionError("planted")


MemoryStore.archive = _stumble  # type: ignore[assignment, method-assign]
