"""Connects with the first stored token that the server accepts."""

from collections.abc import Iterable
from contextlib import AsyncExitStack

from warroom_client import Client, RejectedError
from warroom_protocol import codes
from warroom_terminal.identity_file import SavedIdentity


async def connect_with_saved_token(
    kept: Iterable[SavedIdentity], lines: AsyncExitStack, *, url: str, name: str, agent: str
) -> tuple[Client, SavedIdentity] | None:
    """Return a client for the first accepted token, open until *lines* close; None if the server knows none."""
    for identity in kept:
        client = Client(url, name=name, token=identity.token, agent=agent)
        try:
            return await lines.enter_async_context(client), identity
        except RejectedError as refused:
            if refused.code != codes.HELLO_TOKEN:
                raise
    return None
