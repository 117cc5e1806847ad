"""What a plain GET shows: a status page for people, probes for operators, lists for programs."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from html import escape
from urllib.parse import parse_qs, unquote

from warroom_games.words import seat_range
from warroom_protocol.errors import RoomCodeError
from warroom_protocol.messages import GameListing, RoomListing
from warroom_protocol.rooms import parse_room_code, room_code
from warroom_server.ports import HttpResponse, Store, UnavailableError
from warroom_server.runtime.catalogue import Catalogue
from warroom_server.runtime.listing import Listing, Listings, Wanted

REPLAY_WAIT_S = 2.0
"""How long a GET waits for the replay of a match that has just ended."""

_REPLAY = re.compile(r"/api/replays/([^/]+)")
_HTML = "text/html; charset=utf-8"
_JSON = "application/json"
_SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}
_LATER = {"Retry-After": "1"}
_OPEN = {"X-Content-Type-Options": "nosniff", "Access-Control-Allow-Origin": "*", "Cache-Control": "no-store"}

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 3rem auto; padding: 0 1rem }
h1 { margin-bottom: 0 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8884 }
code { font-family: ui-monospace, monospace }
"""


class Pages:
    """Answers GETs; shows a room exactly as an anonymous spectator may know it.

    *archived* waits until nothing of a room is left to be put away; *is_running* says whether its match goes on here.
    """

    def __init__(
        self,
        *,
        store: Store,
        catalogue: Catalogue,
        listings: Listings,
        is_ready: Callable[[], bool],
        is_running: Callable[[int], bool],
        archived: Callable[[int], Awaitable[None]],
        version: str,
    ) -> None:
        self._store = store
        self._catalogue = catalogue
        self._listings = listings
        self._is_ready = is_ready
        self._is_running = is_running
        self._archived = archived
        self._version = version
        self._status: tuple[Listing, bytes] | None = None

    def answer(self, path: str, query: str) -> HttpResponse | Awaitable[HttpResponse]:
        """Answer a GET for *path*; only replays need the store, and so wait."""
        match path:
            case "/":
                return HttpResponse(200, self._status_page(), _HTML, _SAFE)
            case "/healthz":
                return HttpResponse(200, b"ok\n")
            case "/readyz":
                return HttpResponse(200, b"ready\n") if self._is_ready() else HttpResponse(503, b"not ready\n")
            case "/api/games":
                return HttpResponse(200, self._catalogue.json, _JSON, _OPEN)
            case "/api/rooms":
                return self._room_list(query)
            case _:
                replay = _REPLAY.fullmatch(unquote(path))
                return HttpResponse(404, b"nothing is here\n") if replay is None else self._replay(replay[1])

    def _room_list(self, query: str) -> HttpResponse:
        asked = {name: values[-1] for name, values in parse_qs(query).items()}
        if unknown := asked.keys() - {"game", "phase", "open", "player"}:
            return _wrong(f"expected game, phase, open or player, got {', '.join(sorted(unknown))}")
        if (phase := asked.get("phase")) not in (None, "lobby", "playing"):
            return _wrong(f"phase: expected lobby or playing, got {phase}")
        if (is_open := asked.get("open", "false")) not in ("true", "false"):
            return _wrong(f"open: expected true or false, got {is_open}")
        wanted = Wanted(asked.get("game"), phase, is_open == "true", asked.get("player"))
        return HttpResponse(200, self._listings.get(wanted).json, _JSON, _OPEN)

    async def _replay(self, code: str) -> HttpResponse:
        try:
            number = parse_room_code(code)
        except RoomCodeError as error:
            return HttpResponse(404, f"{error}\n".encode())
        try:
            async with asyncio.timeout(REPLAY_WAIT_S):
                await self._archived(number)
            replay = await self._store.replay(number)
        except TimeoutError:
            return HttpResponse(503, b"the replay is being stored; try again in a moment\n", headers=_LATER)
        except UnavailableError:
            return HttpResponse(503, b"the store does not answer; try again later\n", headers=_LATER)
        if replay is None:
            return HttpResponse(404, f"{self._missing(number)}\n".encode())
        name = f'attachment; filename="{room_code(number)}.warroom"'
        return HttpResponse(200, replay, "application/octet-stream", {**_OPEN, "Content-Disposition": name})

    def _missing(self, number: int) -> str:
        if self._is_running(number):
            return f"the match {room_code(number)} is not over; its replay can be had when it is"
        return f"no finished match {room_code(number)} is kept here"

    def _status_page(self) -> bytes:
        listing = self._listings.get(Wanted())
        if self._status is None or self._status[0] is not listing:
            self._status = (listing, self._render(listing.rooms).encode())
        return self._status[1]

    def _render(self, rooms: Sequence[RoomListing]) -> str:
        return "\n".join(
            [
                "<!doctype html>",
                '<html lang="en"><head><meta charset="utf-8"><title>Warroom</title>',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                f"<style>{_STYLE}</style></head><body>",
                f"<h1>Warroom</h1><p>Version {escape(self._version)}. Clients connect to <code>/ws</code>.</p>",
                f"<h2>Games</h2>{_game_table(self._catalogue.games)}",
                f"<h2>Rooms</h2>{_room_table(rooms)}",
                '<p><a href="/api/games">/api/games</a> · <a href="/api/rooms">/api/rooms</a></p>',
                "</body></html>",
                "",
            ]
        )


def _wrong(said: str) -> HttpResponse:
    return HttpResponse(400, f"{said[:200]}\n".encode())


def _game_table(games: Sequence[GameListing]) -> str:
    rows = [
        (game.name, seat_range(game.min_seats, game.max_seats), f"{game.turn_ms / 1000:g} s", game.summary)
        for game in games
    ]
    return _table(("Game", "Seats", "Turn", ""), rows)


def _room_table(rooms: Sequence[RoomListing]) -> str:
    if not rooms:
        return "<p>No rooms are open.</p>"
    rows = [(room.code, room.game, room.phase, f"{room.taken} of {room.seats}", str(room.watching)) for room in rooms]
    return _table(("Room", "Game", "Phase", "Seats taken", "Watching"), rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    titles = "".join(f"<th>{escape(title)}</th>" for title in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"
