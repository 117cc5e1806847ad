"""Connects with the first stored token that the server accepts, or as a new player."""

from collections.abc import Iterable
from contextlib import AsyncExitStack

from warroom_client.client import Client
from warroom_client.errors import RejectedError
from warroom_client.identity_file import SavedIdentity
from warroom_protocol import codes


async def connect_with_saved_token(
    kept: Iterable[SavedIdentity],
    lines: AsyncExitStack,
    *,
    url: str,
    name: str,
    agent: str,
    bot: str | None = None,
) -> tuple[Client, SavedIdentity] | None:
    """Return a client for the first accepted token, open until *lines* close; None if the server knows none."""
    for identity in kept:
        client = Client(url, name=name, token=identity.token, agent=agent, bot=bot)
        try:
            return await lines.enter_async_context(client), identity
        except RejectedError as refused:
            if refused.code != codes.HELLO_TOKEN:
                raise
    return None


async def connect_as_known_or_new(
    kept: Iterable[SavedIdentity],
    lines: AsyncExitStack,
    *,
    url: str,
    name: str,
    agent: str,
    bot: str | None = None,
) -> tuple[Client, SavedIdentity]:
    """Return a client as `connect_with_saved_token` does, or else as a new player, with the identity to keep."""
    known = await connect_with_saved_token(kept, lines, url=url, name=name, agent=agent, bot=bot)
    if known is not None:
        return known
    client = await lines.enter_async_context(Client(url, name=name, agent=agent, bot=bot))
    return client, identity_of(client)


def identity_of(client: Client) -> SavedIdentity:
    """Return the identity of a connected client."""
    assert client.token is not None, "it was welcomed"
    return SavedIdentity(client.player, client.token)
