"""The players that a bot is on a server: the same ones in each run, so that their ratings go on."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Final

from warroom_client import Client
from warroom_client.identity_file import IdentityFile, IdentityFileError, open_identity_file
from warroom_client.token_login import connect_as_known_or_new

AGENT: Final = "warroom-bot"
LONGEST_NAME: Final = 24
"""A server cuts longer names of players."""


class Roster:
    """Connects the players of one bot on one server, as many as it is asked for.

    Their identities are files in *folder*, each used by one connection at a time: players who play at once are
    different ones, also in different processes. Without a folder, and where its files cannot be used, players are new;
    *tell* is then told why, once. Bots of one name from several files (*source*) are different players.
    """

    def __init__(
        self, url: str, bot: str, folder: Path | None, tell: Callable[[str], None], *, source: str = ""
    ) -> None:
        self._url = url
        self._bot = bot
        self._folder = folder
        self._tell = tell
        self._source = source
        self._numbers = count(1)
        """Numbers of the players without a file."""

    async def connect(self, lines: AsyncExitStack) -> Client:
        """Return the next player, who is connected and keeps the identity until *lines* close."""
        file = self._open_file()
        if file is None:
            new = Client(self._url, name=self._named(next(self._numbers)), agent=AGENT, bot=self._bot)
            return await lines.enter_async_context(new)
        lines.enter_context(file)
        name = self._named(file.slot)
        client, identity = await connect_as_known_or_new(
            file.kept, lines, url=self._url, name=name, agent=AGENT, bot=self._bot
        )
        try:
            file.keep(identity)
        except IdentityFileError as error:
            self._go_without(error)
        return client

    def _named(self, number: int) -> str:
        """Return the name of a player: of a long one the end, which tells more than the beginning."""
        suffix = f" {number}"
        room = LONGEST_NAME - len(suffix)
        return (self._bot if len(self._bot) <= room else f"…{self._bot[1 - room :]}") + suffix

    def _open_file(self) -> IdentityFile | None:
        if self._folder is None:
            return None
        try:
            return open_identity_file(self._folder, self._url, self._bot, self._source)
        except IdentityFileError as error:
            self._go_without(error)
            return None

    def _go_without(self, error: IdentityFileError) -> None:
        self._folder = None
        self._tell(f"playing as new players, whose ratings begin afresh: {error}")
