"""What a plain GET shows: a status page for people, probes for operators, lists for programs."""

import re
from collections.abc import Awaitable, Callable, Sequence
from html import escape
from urllib.parse import parse_qs, unquote

import msgspec

from warroom_protocol.errors import RoomCodeError
from warroom_protocol.messages import GameListing, RoomListing
from warroom_protocol.rooms import parse_room_code, room_code
from warroom_server.ports import HttpResponse, Store, UnavailableError

_REPLAY = re.compile(r"/api/replays/([^/]+)")
_HTML = "text/html; charset=utf-8"
_JSON = "application/json"
_SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}
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
    """Answers GETs; shows a room exactly as an anonymous spectator may know it."""

    def __init__(
        self,
        *,
        store: Store,
        games: Callable[[], Sequence[GameListing]],
        rooms: Callable[[str | None], Sequence[RoomListing]],
        is_ready: Callable[[], bool],
        version: str,
    ) -> None:
        self._store = store
        self._games = games
        self._rooms = rooms
        self._is_ready = is_ready
        self._version = version

    def answer(self, path: str, query: str) -> HttpResponse | Awaitable[HttpResponse]:
        """Answer a GET for *path*; only replays need the store, and so wait."""
        match path:
            case "/":
                return HttpResponse(200, self._status().encode(), _HTML, _SAFE)
            case "/healthz":
                return HttpResponse(200, b"ok\n")
            case "/readyz":
                return HttpResponse(200, b"ready\n") if self._is_ready() else HttpResponse(503, b"not ready\n")
            case "/api/games":
                return _json([_named(game) for game in self._games()])
            case "/api/rooms":
                wanted = parse_qs(query).get("game", [None])[0]
                return _json([_named(room) for room in self._rooms(wanted)])
            case _:
                replay = _REPLAY.fullmatch(unquote(path))
                return HttpResponse(404, b"nothing is here\n") if replay is None else self._replay(replay[1])

    async def _replay(self, code: str) -> HttpResponse:
        try:
            number = parse_room_code(code)
            replay = await self._store.replay(number)
        except RoomCodeError as error:
            return HttpResponse(404, f"{error}\n".encode())
        except UnavailableError:
            return HttpResponse(503, b"the store does not answer; try again later\n")
        if replay is None:
            return HttpResponse(404, f"no finished match {room_code(number)} is kept here\n".encode())
        name = f'attachment; filename="{room_code(number)}.warroom"'
        return HttpResponse(200, replay, "application/octet-stream", {**_OPEN, "Content-Disposition": name})

    def _status(self) -> str:
        rooms, games = self._rooms(None), self._games()
        return "\n".join(
            [
                "<!doctype html>",
                '<html lang="en"><head><meta charset="utf-8"><title>Warroom</title>',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                f"<style>{_STYLE}</style></head><body>",
                f"<h1>Warroom</h1><p>Version {escape(self._version)}. Clients connect to <code>/ws</code>.</p>",
                f"<h2>Games</h2>{_game_table(games)}",
                f"<h2>Rooms</h2>{_room_table(rooms)}",
                '<p><a href="/api/games">/api/games</a> · <a href="/api/rooms">/api/rooms</a></p>',
                "</body></html>",
                "",
            ]
        )


def _game_table(games: Sequence[GameListing]) -> str:
    rows = [
        (game.name, f"{game.min_seats}-{game.max_seats}", f"{game.turn_ms / 1000:g} s", game.summary) for game in games
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


def _named(listing: GameListing | RoomListing) -> dict[str, object]:
    """Return a listing with the names of its fields, which the wire leaves out."""
    return msgspec.structs.asdict(listing)


def _json(value: object) -> HttpResponse:
    return HttpResponse(200, msgspec.json.encode(value) + b"\n", _JSON, _OPEN)
