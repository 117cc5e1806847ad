"""A spectator at a console who reads events line by line and chats with other spectators."""

import asyncio
from typing import Final

from warroom_client import ClientError, Ended, Event, Moved, Refreshed, Room, Updated
from warroom_terminal.action_parser import ParseError
from warroom_terminal.console import Console
from warroom_terminal.narration import Narrator, ending, seat_lines
from warroom_terminal.room_requests import mute, say
from warroom_terminal.typed_commands import TypedCommand, parse_line
from warroom_terminal.view_rendering import draw, find_game, public_part

TICK_S: Final = 0.5
HELP: Final = (
    "type to chat with the other spectators; players do not see it",
    "  /board          show the board",
    "  /seats          show the seats",
    "  /mute WHO       hide chat of a seat or name (/unmute: show again)",
    "  /quit           leave (also Ctrl-D)",
    "  /help           show this list",
)


class SpectatorChat:
    """A spectator of one room who can chat."""

    def __init__(self, room: Room, console: Console) -> None:
        self._room = room
        self._console = console
        self._narrator = Narrator(room)
        self._game = find_game(room.about)
        self._turn: int | None = None
        self._ended: Ended | None = None

    async def follow(self, *, stays: bool = False) -> Ended | None:
        """Print events and send chat until the match is over or the spectator quits.

        Return how the match ended. With *stays*, the chat continues until a rematch starts.
        """
        self._console.show([f"room {self._room.invitation}: /help lists the commands"])
        watching = asyncio.create_task(self._watch(stays=stays))
        others = [asyncio.create_task(work) for work in (self._read(), self._tick())]
        try:
            done, _ = await asyncio.wait([watching, *others], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (watching, *others):
                task.cancel()
            await asyncio.wait([watching, *others])
        return self._ended

    # --- events ----------------------------------------------------------------------------------------------------

    async def _watch(self, *, stays: bool) -> None:
        async for event in self._room:
            self._take(event)
        if stays:
            async for event in self._room.afterwards():
                if isinstance(event, Moved):
                    return
                self._take(event)

    def _take(self, event: Event) -> None:
        self._console.show(self._narrator.tell(event))
        match event:
            case Refreshed():
                self._show_board()
            case Updated() if self._room.turn != self._turn:
                self._show_board()
            case Ended():
                self._ended = event
                self._show_board()
                self._console.show(ending(self._room, event))
            case _:
                pass

    def _show_board(self) -> None:
        self._turn = self._room.turn
        names = [self._room.name_of(seat) for seat in range(len(self._room.seats))]
        lines = draw(self._game, public_part(self._room.about, self._room.public), None, names)
        self._console.draw(["", *lines, ""] if lines else [])

    async def _tick(self) -> None:
        while True:
            left_ms = self._room.remaining_ms()
            self._console.ask("watching" if left_ms is None else f"watching, {left_ms / 1000:.0f} s")
            await asyncio.sleep(TICK_S)

    # --- input -----------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        while (line := await self._console.read()) is not None:
            order = parse_line(line)
            if order is None:
                continue
            if order.word in ("quit", "q", "exit"):
                return
            try:
                await self._do(order)
            except (ParseError, ClientError) as error:
                self._console.show([str(error)])

    async def _do(self, order: TypedCommand) -> None:
        match order.word:
            case "" | "say" | "s":
                await say(self._room, order.rest)
            case "mute" | "unmute":
                self._console.show([await mute(self._room, order.rest, on=order.word == "mute")])
            case "board" | "b":
                self._show_board()
            case "seats":
                self._console.show(seat_lines(self._room))
            case _:
                unknown = [] if order.word in ("help", "h", "?") else [f"unknown command /{order.word}"]
                self._console.show([*unknown, *HELP])
