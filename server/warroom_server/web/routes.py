"""Answers plain GETs: the page and a plain status for people, probes for operators, the API for programs."""

from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape

from warroom_games.words import seat_range
from warroom_protocol.messages import GameListing, RoomListing
from warroom_server.lobby.catalog import Catalog
from warroom_server.lobby.room_lists import Listing, RoomLists, Wanted
from warroom_server.ports.connections import HttpResponse
from warroom_server.web.api import Api, unless_away

_HTML = "text/html; charset=utf-8"
_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 3rem auto; padding: 0 1rem }
h1 { margin-bottom: 0 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8884 }
code { font-family: ui-monospace, monospace }
"""
_STYLE_HASH = b64encode(sha256(_STYLE.encode()).digest()).decode()
_HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; img-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}
"""The status page has this style only, and no script."""


@dataclass(eq=False)
class Pages:
    """Answers with *files*, the status page, probes, or *api*."""

    _api: Api
    _catalog: Catalog
    _room_lists: RoomLists
    _files: Mapping[str, HttpResponse]
    _is_ready: Callable[[], bool]
    _version: str

    def __post_init__(self) -> None:
        self._status: tuple[Listing, bytes] | None = None

    def answer(self, path: str, query: str) -> HttpResponse | Awaitable[HttpResponse]:
        """Answer a GET for *path*."""
        if (file := self._files.get(path)) is not None:
            return file
        match path:
            case "/" | "/status":
                return unless_away(self._status_page())
            case "/healthz":
                return HttpResponse(200, b"ok\n")
            case "/readyz":
                return HttpResponse(200, b"ready\n") if self._is_ready() else HttpResponse(503, b"not ready\n")
            case _:
                return self._api.answer(path, query)

    async def _status_page(self) -> HttpResponse:
        listing = await self._room_lists.get(Wanted())
        if self._status is None or self._status[0] is not listing:
            self._status = (listing, self._render(listing.rooms).encode())
        return HttpResponse(200, self._status[1], _HTML, _HEADERS)

    def _render(self, rooms: Sequence[RoomListing]) -> str:
        return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Warroom</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{_STYLE}</style></head><body>
<h1>Warroom</h1><p>Version {escape(self._version)}. Clients connect to <code>/ws</code>.</p>
<h2>Games</h2>{_game_table(self._catalog.games)}
<h2>Rooms</h2>{_room_table(rooms)}
<p><a href="/api/games">/api/games</a> · <a href="/api/rooms">/api/rooms</a></p>
</body></html>
"""


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
