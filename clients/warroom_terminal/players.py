"""How people name players: by seat, by name, or by id."""

import asyncio
import re
from typing import Final

from warroom_client import Client, ClientError, Room
from warroom_terminal.reading import UnreadableError, whole

_ID: Final = re.compile("[a-z2-7]{16}")
LISTS_AGE_S: Final = 0.6
"""After this time a list is made anew: a server answers with one that is half a second old."""


async def find_player(client: Client, who: str) -> str:
    """Return the id of a player who is in a listed room, given by name or by the id itself."""
    if _ID.fullmatch(who):
        return who
    found = await _listed(client, who)
    if not found:
        await asyncio.sleep(LISTS_AGE_S)
        found = await _listed(client, who)
    if not found:
        raise ClientError(f"nobody called {who!r} is in a listed room now; `warroom rooms --json` shows names and ids")
    if len(found) > 1:
        raise ClientError(f"several players are called {who!r}; name one by id: {', '.join(sorted(found))}")
    return found.pop()


async def _listed(client: Client, name: str) -> set[str]:
    """Return the ids of all in listed rooms who go by a name."""
    return {player.player for room in await client.rooms() for player in room.players if player.name == name}


def called(room: Room, who: str) -> dict[str, str]:
    """Return by id the names of those who are meant: whoever sits there, or all in the room who go by that name."""
    seats = [(state.seat, state.name, state.player) for state in room.seats if state.player is not None]
    if who.isdecimal():
        found = {player: name for seat, name, player in seats if seat == whole(who)}
    else:
        heard = [(None, line.name, line.player) for line in room.said]
        found = {player: name for _, name, player in [*seats, *heard] if name == who}
    if not found and _ID.fullmatch(who):
        found = {who: who}
    found.pop(room.player, None)
    if not found:
        raise UnreadableError("name whom you mean: a seat (/seats shows them), somebody who spoke, or an id")
    return found
