"""Follows one room and repaints on changes."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Final, Protocol, cast

from warroom_client import (
    Disconnected,
    Drifted,
    Ended,
    Event,
    Moved,
    Noticed,
    Paused,
    Reconnected,
    Refreshed,
    Said,
    SeatsChanged,
    SeatState,
    TimedOut,
    Unpaused,
    Updated,
)
from warroom_games.api import Naming
from warroom_protocol.messages import About, View
from warroom_terminal.narration import in_sentences
from warroom_terminal.painter import Painter
from warroom_terminal.spectator_screen import MAX_NEWS, SOME_NEWS, STATUS_ROWS, Scene, compose
from warroom_terminal.view_rendering import (
    cropped,
    draw_all,
    find_game,
    hides,
    labels,
    public_part,
    seats_to_act,
    secret_parts,
)

TICK_S: Final = 0.1


class WatchableRoom(Protocol):
    """What a spectator needs of a room, from a client or from a broker."""

    code: str

    @property
    def about(self) -> About | None:
        """What never changes about the room."""
        ...

    @property
    def public(self) -> View:
        """The public view."""
        ...

    @property
    def phase(self) -> str:
        """`lobby`, `playing` or `ended`."""
        ...

    @property
    def seats(self) -> tuple[SeatState, ...]:
        """Who sits where."""
        ...

    @property
    def watching(self) -> int:
        """How many spectators there are."""
        ...

    @property
    def turn(self) -> int:
        """The game's turn."""
        ...

    @property
    def paused(self) -> str | None:
        """Why the clock is paused."""
        ...

    def remaining_ms(self) -> int | None:
        """Return the time left in the current turn."""
        ...

    def name_of(self, seat: int) -> str:
        """Return the name of the player at a seat."""
        ...

    def __aiter__(self) -> AsyncIterator[Event]:
        """Yield events up to the end of the match."""
        ...

    def afterwards(self) -> AsyncIterator[Event]:
        """Yield events after the match."""
        ...


class WatchSession:
    """A spectator of one room."""

    def __init__(self, room: WatchableRoom, painter: Painter) -> None:
        self._room = room
        self._painter = painter
        self._game = find_game(room.about)
        self._news: deque[str] = deque(maxlen=MAX_NEWS)
        self._lost: str | None = None
        self._ended: Ended | None = None
        self._look()

    async def follow(self) -> Ended | None:
        """Paint every change until the match is over, and return how it ended."""
        ticking = asyncio.create_task(self._tick()) if self._painter.ticks else None
        try:
            async for event in self._room:
                if self._take(event):
                    self._paint()
        finally:
            if ticking is not None:
                ticking.cancel()
        return self._ended

    async def await_rematch(self) -> bool:
        """Keep painting after the match, until a rematch starts (True) or the room closes."""
        async for event in self._room.afterwards():
            if isinstance(event, Moved):
                return True
            if self._take(event):
                self._paint()
        return False

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            self._paint()

    def _take(self, event: Event) -> bool:
        """Record an event; return whether the display changes."""
        match event:
            case Updated(events=happened):
                names = [self._room.name_of(seat) for seat in range(len(self._room.seats))]
                self._news.extend(in_sentences(self._game, happened, names))
                self._look()
            case Refreshed() | SeatsChanged():
                self._look()
            case Ended():
                self._ended = event
            case Disconnected(reason=reason):
                self._lost = reason
            case Reconnected():
                self._lost = None
            case Paused() | Unpaused():
                pass
            case _:
                news = self._news_of(event)
                self._news.extend(news)
                return bool(news)
        return True

    def _news_of(self, event: Event) -> list[str]:
        """Return the log line of an event that changes nothing else."""
        match event:
            case TimedOut(seat=seat):
                return [f"{self._room.name_of(seat)} ran out of time"]
            case Said(name=name, seat=seat, text=text):
                return [f"{name}{' (watching)' if seat is None else ''}: {text}"]
            case Noticed(code=code, detail=detail):
                return [f"{code}: {detail}"]
            case Drifted():
                return ["the board may be out of date (view.drift)"]
            case _:
                return []

    def _look(self) -> None:
        """Redraw the board; between updates only the countdown changes."""
        room = self._room
        self._public = public_part(room.about, room.public)
        secrets = secret_parts(room.about, room.public)
        names = [room.name_of(seat) for seat in range(len(room.seats))]
        self._picture = tuple(draw_all(self._game, self._public, secrets, names))
        self._hides = not secrets and hides(self._game, self._public, len(room.seats))
        self._to_act = seats_to_act(self._game, self._public, len(room.seats))

    def _in_window(self) -> tuple[str, ...]:
        """Return the picture, or its most important part if the window is too small."""
        rows, columns = self._painter.rows, self._painter.columns
        if rows is None or columns is None:
            return self._picture
        room = rows - STATUS_ROWS - min(len(self._news), SOME_NEWS)
        enlarge = "enlarge the window"
        return tuple(cropped(self._game, self._picture, rows=room, columns=columns, all_of_it=enlarge))

    def _paint(self) -> None:
        room, drawer = self._room, cast(object, self._game)
        self._painter.paint(
            compose(
                Scene(
                    code=room.code,
                    game=_title(room),
                    phase=room.phase,
                    picture=self._in_window(),
                    is_named=isinstance(drawer, Naming),
                    hides=self._hides,
                    seats=room.seats,
                    labels=labels(self._public),
                    to_act=self._to_act,
                    watching=room.watching,
                    turn=room.turn,
                    remaining_ms=room.remaining_ms(),
                    paused=room.paused,
                    lost=self._lost,
                    news=tuple(self._news),
                    ended=self._ended,
                ),
                self._painter.rows,
                self._painter.columns,
            )
        )


def _title(room: WatchableRoom) -> str:
    """Return the game and the spectator delay."""
    if room.about is None:
        return ""
    delay = room.about.room_options.get("delay")
    return f"{room.about.game}, {delay} turn{'' if delay == 1 else 's'} late" if delay else room.about.game
