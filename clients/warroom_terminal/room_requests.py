"""Handles typed requests to the room, besides actions."""

from collections.abc import Awaitable
from typing import Final

from warroom_client import Room
from warroom_protocol.messages import OfferName
from warroom_terminal.action_parser import ParseError, whole
from warroom_terminal.narration import OFFERS
from warroom_terminal.player_search import called
from warroom_terminal.typed_commands import TypedCommand

LONGEST_SAYING: Final = 500
LONGEST_NAME: Final = 64


def room_request(room: Room, order: TypedCommand) -> Awaitable[str | None] | None:
    """Return a coroutine function for a typed request, which may return a reply; None for an unknown order."""
    match order.word:
        case "say" | "s":
            return say(room, order.rest)
        case "resign":
            return room.resign()
        case "reclaim":
            return room.reclaim()
        case "start":
            return room.start()
        case "fill":
            return _fill(room, order.rest)
        case "kick":
            return _kick(room, order.rest)
        case "mute" | "unmute":
            return mute(room, order.rest, on=order.word == "mute")
        case "silence" | "unsilence":
            return mute(room, order.rest, on=order.word == "silence", everybody=True)
        case word:
            return next((_offer(room, name, order.rest) for name in OFFERS if name == word), None)


async def mute(room: Room, who: str, *, on: bool, everybody: bool = False) -> str:
    """Mute or unmute a player by seat, name or id; the host may do it for everybody."""
    players = called(room, who)
    for player in players:
        await room.mute(player, on=on, everybody=everybody)
    names = ", ".join(players.values())
    return f"{names} muted{' for everybody' if everybody else ''}" if on else f"{names} unmuted"


async def _offer(room: Room, what: OfferName, text: str) -> None:
    if text not in ("", "off"):
        raise ParseError(f"/{what} offers or accepts; /{what} off withdraws")
    await room.offer(what, on=not text)


async def say(room: Room, text: str) -> None:
    """Send a chat message if it is valid."""
    if not text:
        raise ParseError("/say needs a text")
    if len(text) > LONGEST_SAYING:
        raise ParseError(f"not sent: {len(text)} characters, the maximum is {LONGEST_SAYING}")
    await room.say(text)


async def _fill(room: Room, text: str) -> None:
    first, _, rest = text.partition(" ")
    seat = whole(first)
    bot = text if seat is None else rest.strip()
    if seat is not None and seat not in [state.seat for state in room.seats]:
        raise ParseError("/fill takes the number of a seat (/seats shows them), or nothing for all open seats")
    if len(bot) > LONGEST_NAME:
        raise ParseError(f"a bot name has at most {LONGEST_NAME} characters")
    await room.fill(seat, bot or None)


async def _kick(room: Room, text: str) -> None:
    seat = whole(text)
    if seat is None or seat not in [state.seat for state in room.seats]:
        raise ParseError("/kick needs the number of a seat (/seats shows them)")
    await room.kick(seat)
