"""What a player asks of a room by typing, besides actions."""

from collections.abc import Awaitable
from typing import Final

from warroom_client import Room
from warroom_terminal.choices import UnreadableError, whole
from warroom_terminal.narration import OFFERS
from warroom_terminal.orders import Order

LONGEST_SAYING: Final = 500
LONGEST_NAME: Final = 64


def wish(room: Room, order: Order) -> Awaitable[None] | None:
    """Return what asks the room for what was typed, to be awaited; None if there is no such order."""
    match order.word:
        case "say" | "s":
            return _say(room, order.rest)
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
        case word:
            return next((room.offer(name) for name in OFFERS if name == word), None)


async def _say(room: Room, text: str) -> None:
    if not text:
        raise UnreadableError("/say wants something to say")
    if len(text) > LONGEST_SAYING:
        raise UnreadableError(f"not said: {len(text)} characters, and {LONGEST_SAYING} are the most at a time")
    await room.say(text)


async def _fill(room: Room, bot: str) -> None:
    if len(bot) > LONGEST_NAME:
        raise UnreadableError(f"the name of a bot has at most {LONGEST_NAME} characters")
    await room.fill(bot=bot or None)


async def _kick(room: Room, text: str) -> None:
    seat = whole(text)
    if seat is None or seat not in [state.seat for state in room.seats]:
        raise UnreadableError("/kick wants the number of a seat, as /seats shows them")
    await room.kick(seat)
