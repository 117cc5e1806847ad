"""The connecting player: its hello, the latest welcome, and token rotation."""

import asyncio

from warroom_client.errors import ClientError
from warroom_client.requests import fail, new_ref
from warroom_protocol import messages as wire
from warroom_protocol.versions import SUPPORTED


class Identity:
    """A player as the server knows it, across connections."""

    def __init__(self, *, name: str, token: str | None, agent: str, bot: str | None, key: str | None) -> None:
        self.name: str = name
        self.token = token
        self.player: str = ""
        self.server: str = ""
        self.protocol: int = 0
        self._agent = agent
        self._bot = bot
        self._key = key
        self._rotation: tuple[int, asyncio.Future[str]] | None = None

    def hello(self) -> wire.Hello:
        """Return the hello for a new connection.

        A token rotation keeps its ref until it is answered: the server recognizes the retry, and a lost answer does not
        cost the player the identity.
        """
        rotation = self._rotation
        return wire.Hello(
            new_ref() if rotation is None else rotation[0],
            tuple(sorted(SUPPORTED)),
            self.name,
            self.token,
            self._agent,
            rotate=rotation is not None,
            bot=self._bot,
            key=self._key,
        )

    def welcomed(self, welcome: wire.Welcome) -> bool:
        """Apply the welcome; return whether earlier tokens are now revoked."""
        self.player, self.token, self.name = welcome.player, welcome.token, welcome.name
        self.server, self.protocol = welcome.server, welcome.version
        rotation, self._rotation = self._rotation, None
        if rotation is not None and not rotation[1].done():
            rotation[1].set_result(welcome.token)
        return rotation is not None

    def rotate(self) -> asyncio.Future[str]:
        """Rotate the token with the next hello, and return the future of the new one."""
        if self._rotation is None:
            self._rotation = (new_ref(), asyncio.get_running_loop().create_future())
        return self._rotation[1]

    def fail(self, error: ClientError) -> None:
        """Fail the pending rotation."""
        if self._rotation is not None:
            fail(self._rotation[1], error)
