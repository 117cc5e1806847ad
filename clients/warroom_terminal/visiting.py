"""Connects with the first stored token that the server accepts."""

from collections.abc import Iterable
from contextlib import AsyncExitStack

from warroom_client import Client, RejectedError
from warroom_protocol import codes
from warroom_terminal.keepsake import Keepsake


async def recognised(
    kept: Iterable[Keepsake], lines: AsyncExitStack, *, url: str, name: str, agent: str
) -> tuple[Client, Keepsake] | None:
    """Return a client for the first accepted token, open until *lines* close; None if the server knows none."""
    for keepsake in kept:
        client = Client(url, name=name, token=keepsake.token, agent=agent)
        try:
            return await lines.enter_async_context(client), keepsake
        except RejectedError as refused:
            if refused.code != codes.HELLO_TOKEN:
                raise
    return None
