"""The default store: a private Valkey server beside this process, so that nothing needs to be installed."""

from pathlib import Path

from warroom_server.adapters.embedded.server import EmbeddedServer
from warroom_server.adapters.redis.store import RedisStore


class EmbeddedStore(RedisStore):
    """Keeps rooms in *folder*, on disk before they are acknowledged; one process at a time uses the folder."""

    def __init__(self, folder: Path, *, timeout_s: float = 2.0) -> None:
        self._server = EmbeddedServer(folder)
        self.url = self._server.url
        """Where the server can be reached, once it was started."""
        super().__init__(self.url, timeout_s=timeout_s)

    async def start(self) -> None:
        """Start the server and connect to it; `Trouble.UNFIT` if another process uses the folder."""
        await self._server.start()
        await super().start()  # which closes everything again if it fails
        # One process at a time uses the folder, so every other owner is dead: its rooms can be claimed at once.
        for owner in await self.known_nodes():
            await self.release(owner)

    async def close(self) -> None:
        """Disconnect and end the server."""
        await super().close()
        await self._server.stop()
