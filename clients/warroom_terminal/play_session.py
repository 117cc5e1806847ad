"""Plays a room and its rematches with a person at a console."""

import asyncio
import signal
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from warroom_client import (
    ClientError,
    Ended,
    Event,
    Judged,
    LegalActions,
    Moved,
    Prompted,
    Refreshed,
    RejectedError,
    Room,
    SeatsChanged,
    Updated,
)
from warroom_games.forms import listed
from warroom_protocol import codes
from warroom_terminal.action_parser import ParseError
from warroom_terminal.choices import Choices, action_forms
from warroom_terminal.console import Console
from warroom_terminal.layout import FEWEST_ROWS, FRAME_ROWS, MANY_ROWS, lay_out
from warroom_terminal.line_wrapping import cut
from warroom_terminal.narration import Narrator, bank_note, color_sentence, ending, late, seat_lines, seconds
from warroom_terminal.room_requests import room_request
from warroom_terminal.short_rules import rules_in_short
from warroom_terminal.typed_commands import HELP, HELP_ALONE, TypedCommand, parse_line
from warroom_terminal.view_rendering import cropped, draw, find_game, seats_to_act

TICK_S: Final = 0.2
RETRY_S: Final = 0.5
"""Delay before the next request to a room that is moving to another server."""
WARNINGS_S: Final = (60, 30, 10, 5, 3, 1)
"""Remaining seconds at which a console without a countdown prints a warning."""
RECALLED: Final = 5
"""Number of recent events repeated below a tall board."""
OVERTAKEN: Final = frozenset({codes.ACT_STALE, codes.ROOM_ENDED, codes.SEAT_NONE, codes.SEAT_OUT})


class Host(Protocol):
    """What hosts the rooms: the client of a server, or a local host."""

    @property
    def is_connected(self) -> bool:
        """Whether it can be reached now."""
        ...

    async def move_on(self, room: Room) -> Room:
        """Return the room of the rematch."""
        ...

    async def rotate(self) -> str:
        """Replace the token of the player."""
        ...


class PlaySession:
    """A person at a console with a seat in a room, and in its rematches.

    *entered* is called with each room. *after* returns the closing lines of a finished match, *elsewhere* the
    instructions for another device. *is_alone*: there is no server, no clock and nobody else.
    """

    def __init__(
        self,
        client: Host,
        console: Console,
        *,
        entered: Callable[[Room], None],
        after: Callable[[Room, Ended], list[str]],
        elsewhere: Callable[[Room], list[str]],
        is_alone: bool = False,
    ) -> None:
        self._client = client
        self._console = console
        self._entered = entered
        self._after = after
        self._elsewhere = elsewhere
        self._help = HELP_ALONE if is_alone else HELP
        self._waits = is_alone and not console.ticks
        """Whether actions wait for their question, and other lines for them: in a pipe, all lines are typed ahead."""
        self._news = asyncio.Event()
        self._room: Room
        self._narrator: Narrator
        self._choices: Choices | None = None
        self._filter = ""
        self._next_page: int | None = None
        self._warned: int | None = None
        self._asking: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._quits = asyncio.Event()
        self._broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._actions: asyncio.Queue[TypedCommand] = asyncio.Queue()
        self._requests: asyncio.Queue[TypedCommand] = asyncio.Queue()

    @property
    def room(self) -> Room:
        """The current room."""
        return self._room

    def quit(self) -> None:
        """Stop, as after `/quit`."""
        self._quits.set()

    def obey_signals(self) -> None:
        """Quit on Ctrl-C and on SIGTERM."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.quit)

    async def play(self, room: Room) -> None:
        """Play until the player quits; raise `ClientError` if the room or connection is lost for good."""
        self._enter(room)
        obeying = (self._obey(self._actions), self._obey(self._requests))
        tasks = [
            asyncio.create_task(work)
            for work in (self._follow(), self._read(), *obeying, self._tick(), self._until_quit(), self._until_broken())
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._asking.cancel()
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def _until_quit(self) -> None:
        await self._quits.wait()

    async def _until_broken(self) -> None:
        await self._broken

    def _after_asking(self, asking: "asyncio.Future[None]") -> None:
        """Stop on a bug instead of leaving the player without choices."""
        bug = None if asking.cancelled() else asking.exception()
        if bug is not None and not self._broken.done():
            self._broken.set_exception(bug)

    # --- events ----------------------------------------------------------------------------------------------------

    def _enter(self, room: Room) -> None:
        self._room = room
        self._narrator = Narrator(room)
        self._game = find_game(room.about)
        self._choices = None
        self._has_colors = False
        self._has_board = False
        self._since: deque[str] = deque(maxlen=RECALLED)
        self._entered(room)

    async def _follow(self) -> None:
        while True:
            room = self._room
            async for event in room:
                self._take(event)
            if not await self._moves_on(room):
                await self._quits.wait()
                return

    async def _moves_on(self, room: Room) -> bool:
        """Follow the room after the match; return whether a rematch started."""
        async for event in room.afterwards():
            if isinstance(event, Moved):
                self._enter(await self._client.move_on(room))
                self._console.show(["", f"the rematch is in room {self._room.invitation}"])
                return True
            self._take(event)
        return False

    def _take(self, event: Event) -> None:
        self._news.set()
        news = self._narrator.tell(event)
        self._console.show(news)
        match event:
            case Refreshed():
                self._tell_colors()
                self._show_board()
            case Prompted(turn=turn):
                # Ask in a task: the answer takes as long as a reconnect, and news must not wait for it.
                self._asking.cancel()
                self._asking = asyncio.create_task(self._asked(turn))
                self._asking.add_done_callback(self._after_asking)
            case Updated():
                self._tell_colors()
                self._since.extend(news)
                self._open_board()
                self._stand()
            case SeatsChanged():
                self._stand()
            case Judged(verdict=verdict) if verdict.code is None:
                self._since.clear()
                if verdict.receipt is not None:
                    self._console.show([f"just in time: {late(verdict.receipt)}"])
            case Ended():
                self._choices = None
                self._show_board()
                self._console.show(["", *ending(self._room, event)])
                self._console.draw(self._after(self._room, event))  # unwrapped, so that commands can be copied whole
                self._stand()
            case _:
                pass

    def _tell_colors(self) -> None:
        """Assign colours to players once per match, since boards and events refer to colours."""
        if not self._has_colors and (told := color_sentence(self._room)):
            self._has_colors = True
            self._console.show([told])

    def _open_board(self) -> None:
        """Show the board of a match that begins with the turn of others; the own turn shows it with the choices."""
        if not self._has_board and self._room.public is not None and self._room.seat not in self._asked_seats():
            self._show_board()

    async def _asked(self, turn: int) -> None:
        room = self._room
        if room.prompt is None or room.prompt.turn != turn or room.is_stood_in:
            return
        try:
            legal = await _legal(room)
        except RejectedError as refused:
            if refused.code not in OVERTAKEN:
                self._console.show([f"could not load your choices: {refused}"])
            return
        except ClientError:
            return  # the same news reaches every follower of the room
        if room.prompt is None or legal.turn != room.prompt.turn:
            return
        self._choices = Choices(
            legal.actions,
            is_complete=legal.complete,
            turn=legal.turn,
            forms=action_forms(self._game),
            notes=legal.notes or (),
        )
        self._warned = None
        self._news.set()
        self._lay_out()
        self._stand()

    # --- display ---------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        """Show the board, what led to it and the choices in one window."""
        assert self._choices is not None
        decision_ms = self._room.decision_ms()
        left = "" if decision_ms is None else f", {seconds(decision_ms)} left{bank_note(self._room)}"
        lines, self._next_page = lay_out(
            self._picture(self._console.height - FRAME_ROWS - FEWEST_ROWS, "/board shows all rows"),
            tuple(self._since),
            self._choices,
            question=f"Your move{left}:",
            width=self._console.width,
            height=self._console.height,
        )
        self._filter = ""
        self._console.draw(lines)

    def _picture(self, rows: int, all_of_it: str) -> list[str]:
        room = self._room
        self._has_board = room.public is not None
        names = [room.name_of(seat) + (" (you)" if seat == room.seat else "") for seat in range(len(room.seats))]
        picture = draw(self._game, room.public, room.private, names)
        return cropped(self._game, picture, rows=rows, columns=self._console.width, all_of_it=all_of_it)

    def _show_board(self) -> None:
        lines = self._picture(MANY_ROWS, "widen the window to see more")
        self._console.draw(["", *(cut(line, self._console.width) for line in lines), ""] if lines else [])

    def _list(self, text: str, first: int) -> None:
        """Show a page of the choices."""
        if self._choices is None or self._room.prompt is None:
            self._console.show([self._not_asked()])
            return
        if self._choices.turn != self._room.prompt.turn:
            self._console.show(["the choices changed; the new ones are loading"])
            return
        lines, self._next_page = self._choices.page(text, first, self._console.width)
        self._filter = text
        self._console.show(lines or [f"no choice contains {text!r}"])
        if self._next_page is not None:
            count = self._choices.count(text) - self._next_page
            self._console.show([f"… {count} more: /more or /legal TEXT shows others"])

    def _not_asked(self) -> str:
        """Explain that it is not the player's turn, and whose turn it is if known."""
        if self._room.ended is not None:
            return "the match is over"
        if self._is_out:
            return "you are out of the match"
        if self._room.prompt is not None:
            return "your choices are still loading"
        names = self._asked_names() if self._room.phase == "playing" else []
        return f"it is not your turn{f'; waiting for {listed(names)}' if names else ''}"

    def _list_more(self) -> None:
        if self._choices is not None and self._room.prompt is not None and self._next_page is None:
            self._console.show(["no more choices; /legal starts again"])
        else:
            self._list(self._filter, self._next_page or 0)

    def _stand(self) -> None:
        self._console.ask(self._standing())

    def _standing(self) -> str:
        """Return the status for the prompt."""
        room = self._room
        if room.ended is not None:
            return "match over: /rematch or /quit"
        if not self._client.is_connected:
            return "disconnected"
        if room.phase == "lobby":
            taken = sum(state.player is not None for state in room.seats)
            return f"{taken} of {len(room.seats)} seats taken"
        if room.paused is not None:
            return "paused"
        if self._is_out:
            return f"you are out; {self._others()}"
        if room.is_stood_in:
            return "a bot plays for you: /reclaim"
        if room.prompt is None:
            return self._others()
        decision_ms = room.decision_ms()
        return "your move" if decision_ms is None else f"your move, {decision_ms / 1000:.0f} s"

    def _others(self) -> str:
        room = self._room
        left_ms = room.remaining_ms()
        names = ", ".join(self._asked_names()) or "waiting"
        return names if left_ms is None else f"{names}, {left_ms / 1000:.0f} s"

    @property
    def _is_out(self) -> bool:
        """Whether the player is out of a match that goes on."""
        return any(state.out for state in self._room.seats if state.seat == self._room.seat)

    def _asked_seats(self) -> frozenset[int]:
        return seats_to_act(self._game, self._room.public, len(self._room.seats))

    def _asked_names(self) -> list[str]:
        room = self._room
        return [room.name_of(seat) for seat in sorted(self._asked_seats()) if seat != room.seat]

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            if self._console.ticks:
                self._stand()
            else:
                self._warn()

    def _warn(self) -> None:
        """Warn on consoles without a countdown when little time is left."""
        left_ms = self._room.decision_ms()
        if left_ms is None or self._choices is None or self._room.paused is not None:
            return
        passed = next((each for each in reversed(WARNINGS_S) if left_ms <= each * 1000), None)
        if self._warned is not None and passed is not None and passed < self._warned:
            self._console.show([f"{passed} s left"])
        if passed is not None or self._warned is None:
            self._warned = WARNINGS_S[0] + 1 if passed is None else passed

    # --- input -----------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        before = ""
        while True:
            line = await self._console.read()
            if self._waits:
                await self._actions.join()
            if line is None:
                self.quit()
                return
            order = parse_line(line)
            if order is None:
                continue
            if order.word in ("quit", "q", "exit"):
                self.quit()
                return
            self._sort(order, before)
            before = order.word

    def _sort(self, order: TypedCommand, before: str) -> None:
        """Handle local orders at once; queue actions and requests separately, so that neither waits for the other."""
        if (shown := self._shown_by(order)) is not None:
            shown()
            self._stand()
        elif order.word == "resign" and (self._room.ended is not None or self._is_out):
            self._console.show([f"{self._not_asked()}; you cannot resign"])
        elif order.word == "resign" and before != "resign":
            self._console.show(["type /resign again to confirm"])
        elif order.word != "":
            self._requests.put_nowait(order)
        elif not self._client.is_connected:
            self._console.show(["not sent: the connection is down; try again once you are back in the room"])
        else:
            self._actions.put_nowait(order)

    async def _obey(self, orders: asyncio.Queue[TypedCommand]) -> None:
        while True:
            order = await orders.get()
            try:
                await self._do(order)
            except RejectedError as refused:
                why = f"; {late(refused.receipt)}" if refused.receipt is not None else ""
                self._console.show([f"refused: {refused.detail} ({refused.code}){why}"])
            except (ParseError, ClientError) as error:
                self._console.show([str(error)])
            self._stand()
            orders.task_done()

    async def _do(self, order: TypedCommand) -> None:
        if order.word == "":
            await self._act(order.rest)
        elif order.word == "rotate":
            await self._rotate()
        elif (wished := room_request(self._room, order)) is not None:
            told = await wished
            self._console.show([told] if told else [])
        else:
            self._console.show([f"unknown command /{order.word}", *self._help])

    def _shown_by(self, order: TypedCommand) -> Callable[[], object] | None:
        match order.word:
            case "help" | "h" | "?":
                return lambda: self._console.show(self._help)
            case "board" | "b":
                return self._show_board
            case "seats":
                return lambda: self._console.show(seat_lines(self._room))
            case "rules":
                return lambda: self._console.show(rules_in_short(self._game, self._console.width))
            case "legal" | "l":
                return lambda: self._list(order.rest, 0)
            case "more" | "m":
                return self._list_more
            case "device":
                # Unwrapped: a command broken between words could not be copied.
                return lambda: self._console.draw(self._elsewhere(self._room))
            case _:
                return None

    async def _rotate(self) -> None:
        await self._client.rotate()
        self._entered(self._room)  # stores the new token
        self._console.show(["done: your older tokens no longer work and your other devices are disconnected"])

    async def _until_asked(self) -> None:
        """Wait until the choices are shown, or there is nothing more to choose."""
        while not (self._room.ended is not None or self._is_out or self._has_choices()):
            self._news.clear()
            await self._news.wait()

    def _has_choices(self) -> bool:
        choices, prompt = self._choices, self._room.prompt
        return choices is not None and prompt is not None and choices.turn == prompt.turn

    async def _act(self, text: str) -> None:
        if self._waits:
            await self._until_asked()
        choices, prompt = self._choices, self._room.prompt
        if choices is None or prompt is None:
            raise ParseError(f"{self._not_asked()} (/help lists the commands)")
        action = choices.read(text)
        if text.isdecimal() and prompt.turn != choices.turn:
            raise ParseError("the choices changed in the meantime; /legal shows the current ones")
        if text.isdecimal() or not self._console.ticks:  # an edited input line is already visible
            self._console.show([f"you: {choices.spelt(action)}"])
        await self._room.act(action, turn=prompt.turn)


async def _legal(room: Room) -> LegalActions:
    """Return what the player may do; while the room is moving to another server, ask again."""
    while True:
        try:
            return await room.legal(notes=True)
        except RejectedError as refused:
            if refused.code != codes.ROOM_MOVING:
                raise
        await asyncio.sleep(RETRY_S)
