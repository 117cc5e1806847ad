"""Follows one room and keeps a painter up to date."""

import asyncio
from collections import deque
from typing import Final

from warroom_client import (
    Disconnected,
    Drifted,
    Ended,
    Event,
    Noticed,
    Paused,
    Reconnected,
    Refreshed,
    Room,
    SeatsChanged,
    TimedOut,
    Unpaused,
    Updated,
)
from warroom_games.words import in_words
from warroom_terminal.painter import Painter
from warroom_terminal.picture import draw, find_game, hides, seats_to_act
from warroom_terminal.scene import MAX_NEWS, Scene, compose

TICK_S: Final = 0.1


class Watching:
    """A spectator's seat before one room."""

    def __init__(self, room: Room, painter: Painter) -> None:
        self._room = room
        self._painter = painter
        self._game = find_game(room.about)
        self._news: deque[str] = deque(maxlen=MAX_NEWS)
        self._lost: str | None = None
        self._ended: Ended | None = None
        self._look()

    async def follow(self) -> Ended | None:
        """Paint everything that happens until the match is over, and return how it ended."""
        ticking = asyncio.create_task(self._tick()) if self._painter.ticks else None
        try:
            async for event in self._room:
                if self._take(event):
                    self._paint()
        finally:
            if ticking is not None:
                ticking.cancel()
        return self._ended

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            self._paint()

    def _take(self, event: Event) -> bool:
        """Take note of an event; say whether it changes what is seen."""
        match event:
            case Updated(events=happened):
                names = [self._room.name_of(seat) for seat in range(len(self._room.seats))]
                self._news.extend(in_words(each, names) for each in happened)
                self._look()
            case Refreshed() | SeatsChanged():
                self._look()
            case TimedOut(seat=seat):
                self._news.append(f"{self._room.name_of(seat)} ran out of time")
            case Ended():
                self._ended = event
            case Disconnected(reason=reason):
                self._lost = reason
            case Reconnected():
                self._lost = None
            case Noticed(code=code, detail=detail):
                self._news.append(f"{code}: {detail}")
            case Drifted():
                self._news.append("this copy of the board may be wrong (view.drift)")
            case Paused() | Unpaused():
                pass
            case _:
                return False
        return True

    def _look(self) -> None:
        """Draw the board anew; between updates only the countdown changes."""
        room = self._room
        self._picture = tuple(draw(self._game, room.public, None))
        self._hides = hides(self._game, room.public, len(room.seats))
        self._to_act = seats_to_act(self._game, room.public, len(room.seats))

    def _paint(self) -> None:
        room = self._room
        self._painter.paint(
            compose(
                Scene(
                    code=room.code,
                    game=room.about.game if room.about else "",
                    phase=room.phase,
                    picture=self._picture,
                    hides=self._hides,
                    seats=room.seats,
                    labels=_labels(room.public),
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
            )
        )


def _labels(public: object) -> tuple[str, ...]:
    """Return the colours of the seats, where the view tells them: in a list, or with each player."""
    match public:
        case {"colors": [*colors]}:
            return tuple(map(str, colors))
        case {"players": [*players]}:
            colors = [player.get("color") for player in players if isinstance(player, dict)]
            return tuple(map(str, colors)) if all(colors) else ()
        case _:
            return ()
