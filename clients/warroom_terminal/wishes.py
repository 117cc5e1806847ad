"""What a player asks of a room by typing, besides actions."""

from collections.abc import Awaitable
from typing import Final

from warroom_client import Room
from warroom_protocol.messages import OfferName
from warroom_terminal.narration import OFFERS
from warroom_terminal.orders import Order
from warroom_terminal.players import called
from warroom_terminal.reading import UnreadableError, whole

LONGEST_SAYING: Final = 500
LONGEST_NAME: Final = 64


def wish(room: Room, order: Order) -> Awaitable[str | None] | None:
    """Return what asks the room for what was typed, and may return what to say; None if there is no such order."""
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
    """Hear somebody, given by seat, name or id, no more or again; the host may want that for everybody."""
    players = called(room, who)
    for player in players:
        await room.mute(player, on=on, everybody=everybody)
    names = ", ".join(players.values())
    return f"{'nobody hears' if everybody else 'you do not hear'} {names} any more" if on else f"{names}: heard again"


async def _offer(room: Room, what: OfferName, text: str) -> None:
    if text not in ("", "off"):
        raise UnreadableError(f"/{what} offers it or agrees to it, and /{what} off takes that back")
    await room.offer(what, on=not text)


async def say(room: Room, text: str) -> None:
    """Say something, if it can be said."""
    if not text:
        raise UnreadableError("/say wants something to say")
    if len(text) > LONGEST_SAYING:
        raise UnreadableError(f"not said: {len(text)} characters, and {LONGEST_SAYING} are the most at a time")
    await room.say(text)


async def _fill(room: Room, text: str) -> None:
    first, _, rest = text.partition(" ")
    seat = whole(first)
    bot = text if seat is None else rest.strip()
    if seat is not None and seat not in [state.seat for state in room.seats]:
        raise UnreadableError("/fill wants the number of a seat, as /seats shows them, or none for all open ones")
    if len(bot) > LONGEST_NAME:
        raise UnreadableError(f"the name of a bot has at most {LONGEST_NAME} characters")
    await room.fill(seat, bot or None)


async def _kick(room: Room, text: str) -> None:
    seat = whole(text)
    if seat is None or seat not in [state.seat for state in room.seats]:
        raise UnreadableError("/kick wants the number of a seat, as /seats shows them")
    await room.kick(seat)
