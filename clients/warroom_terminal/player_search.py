"""Finds players by seat, name or id."""

import asyncio
import re
from typing import Final

from warroom_client import Client, ClientError, Room
from warroom_terminal.action_parser import ParseError, whole

_ID: Final = re.compile("[a-z2-7]{16}")
FETCHES: Final = 4
"""How often the list is fetched for a name that is not in it."""
FETCH_EVERY_S: Final = 0.6
"""A list may be 0.8 s behind: a server publishes rooms every 0.3 s and reuses a list for 0.5 s."""


async def find_player(client: Client, who: str) -> str:
    """Return the id of a player in a listed room, given by name or id."""
    if _ID.fullmatch(who):
        return who
    found = await _listed(client, who)
    for _ in range(FETCHES - 1):
        if found:
            break
        await asyncio.sleep(FETCH_EVERY_S)
        found = await _listed(client, who)
    if not found:
        raise ClientError(f"no player named {who!r} in a listed room; `warroom rooms --json` shows names and ids")
    if len(found) > 1:
        raise ClientError(f"several players are named {who!r}; use one of these ids: {', '.join(sorted(found))}")
    return found.pop()


async def _listed(client: Client, name: str) -> set[str]:
    """Return the ids of all players of this name in listed rooms."""
    return {player.player for room in await client.rooms() for player in room.players if player.name == name}


def called(room: Room, who: str) -> dict[str, str]:
    """Return id and name of each player meant: the one at that seat, or all of that name in the room."""
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
        raise ParseError("who? give a seat (/seats shows them), the name of someone who spoke, or an id")
    return found
