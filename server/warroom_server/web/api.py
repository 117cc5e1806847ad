"""The read-only /api for anonymous users: games, schemas, rooms, matches, replays, rankings, calculations."""

import gzip
from collections.abc import Awaitable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from urllib.parse import parse_qs, unquote

import msgspec

from warroom_games.api import Calculation, RulesError
from warroom_games.schema_documents import INDEX
from warroom_protocol import codes
from warroom_protocol.errors import RoomCodeError
from warroom_protocol.messages import Matches, Ranking, ReplayView
from warroom_protocol.readable import named
from warroom_protocol.rooms import parse_invitation, parse_room_code, room_code
from warroom_server.archive.match_reader import MatchArchive, Reader
from warroom_server.lobby.catalog import Catalog
from warroom_server.lobby.room_lists import RoomLists, Wanted
from warroom_server.ports.connections import HttpResponse
from warroom_server.ports.store import UnavailableError
from warroom_server.session.room_proposal import Declined
from warroom_server.session.signer import Signer

_ERROR_CHARS = 1_000
"""Maximum length of a calculation's error: enough to list all names."""
_JSON = "application/json"
_LATER = {"Retry-After": "1"}
_OPEN = {
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Cache-Control": "no-store",
}
_VIEWS: tuple[ReplayView, ...] = ("all", "public")
_STATUS = {codes.REPLAY_SEALED: 403, codes.STORE_UNAVAILABLE: 503, codes.ROOM_BUSY: 503}


class _WrongQueryError(ValueError):
    """The query has an unknown name or an invalid value; says what was expected."""


class Api:
    """Answers GETs of programs."""

    def __init__(self, catalog: Catalog, room_lists: RoomLists, match_archive: MatchArchive, signer: Signer) -> None:
        self._catalog = catalog
        self._room_lists = room_lists
        self._match_archive = match_archive
        self._signer = signer

    def answer(self, path: str, query: str) -> HttpResponse | Awaitable[HttpResponse]:
        """Answer a GET for *path*, after asking the store where that is needed."""
        asked = {name: values[-1] for name, values in parse_qs(query).items()}
        try:
            return self._find(unquote(path).split("/"), asked)
        except _WrongQueryError as error:
            return HttpResponse(400, f"{str(error)[:200]}\n".encode())
        except RoomCodeError as error:
            return HttpResponse(404, f"{error}\n".encode())

    def _find(self, parts: Sequence[str], asked: Mapping[str, str]) -> HttpResponse | Awaitable[HttpResponse]:
        match parts:
            case ["", "api", "games"]:
                return _lasting(self._catalog.json, _JSON)
            case ["", "api", "schema", *path]:
                return self._schema("/".join(path) or INDEX)
            case ["", "api", "games", game, name] if calculation := self._catalog.calculation(game, name):
                return _calculated(calculation, asked)
            case ["", "api", "rooms"]:
                return unless_away(self._rooms(_wanted(asked)))
            case ["", "api", "matches"]:
                return unless_away(self._matches(_wanted_matches(asked)))
            case ["", "api", "ranking", game]:
                return unless_away(self._ranking(_wanted_ranking(game, asked)))
            case ["", "api", "replays", code]:
                return unless_away(self._replay(*self._whose(code), _view(asked)))
            case ["", "api", "replays", code, "verify"]:
                return unless_away(self._verdict(*self._whose(code)))
            case _:
                return HttpResponse(404, b"nothing is here\n")

    def _schema(self, path: str) -> HttpResponse:
        if path not in (schemas := self._catalog.schemas):
            return HttpResponse(404, f"no schema {path[:100]!r}; there are {', '.join(schemas)}\n".encode())
        return _lasting(*schemas[path])

    async def _rooms(self, wanted: Wanted) -> HttpResponse:
        found = await self._room_lists.find(wanted)
        if found is None:
            assert wanted.before is not None, "what is not found is the room to go on after"
            return HttpResponse(404, f"before: there is no room {room_code(wanted.before)} any more\n".encode())
        return _json(found.json)

    async def _matches(self, wanted: Matches) -> HttpResponse:
        found = await self._match_archive.matches(wanted)
        return _json(msgspec.json.encode([named(match) for match in found.matches]) + b"\n")

    async def _ranking(self, asked: Ranking) -> HttpResponse:
        found = named(await self._match_archive.ranking(asked))
        return _json(msgspec.json.encode({name: value for name, value in found.items() if name != "ref"}) + b"\n")

    async def _replay(self, number: int, reader: Reader, view: ReplayView) -> HttpResponse:
        found = await self._match_archive.replay(number, view, reader)
        if isinstance(found, Declined):
            return _declined(number, found)
        name = f'attachment; filename="{room_code(number)}.{"warroom" if view == "all" else "warview"}"'
        return HttpResponse(200, found, "application/octet-stream", {**_OPEN, "Content-Disposition": name})

    async def _verdict(self, number: int, reader: Reader) -> HttpResponse:
        found = await self._match_archive.verdict(number, reader)
        return _declined(number, found) if isinstance(found, Declined) else _json(found)

    def _whose(self, code: str) -> tuple[int, Reader]:
        number, key = parse_invitation(code)
        return number, Reader(has_key=self._signer.is_room_key(number, key))


@lru_cache(maxsize=128)
def _lasting(body: bytes, content_type: str) -> HttpResponse:
    """Return an answer that rarely changes: packed once, and asked for again only if it changed."""
    headers = {**_OPEN, "Cache-Control": "no-cache", "ETag": f'"{sha256(body).hexdigest()[:20]}"'}
    return HttpResponse(200, body, content_type, headers, gzip.compress(body, mtime=0))


async def unless_away(answer: Awaitable[HttpResponse]) -> HttpResponse:
    """Return an answer; if the store does not answer, a request to try again later."""
    try:
        return await answer
    except UnavailableError:
        return HttpResponse(503, b"the store does not answer; try again later\n", headers=_LATER)


def _declined(number: int, found: Declined) -> HttpResponse:
    status = _STATUS.get(found.code, 404)
    said = f"{room_code(number)}: {found.detail or codes.REFUSALS[found.code]} ({found.code})\n"
    return HttpResponse(status, said.encode(), headers=_LATER if status == 503 else {})


def _calculated(calculation: Calculation, asked: Mapping[str, str]) -> HttpResponse:
    try:
        return _json(calculation(asked))
    except RulesError as error:
        return HttpResponse(400, f"{str(error)[:_ERROR_CHARS]}\n".encode())


def _json(body: bytes) -> HttpResponse:
    return HttpResponse(200, body, _JSON, _OPEN)


def _known(asked: Mapping[str, str], *names: str) -> None:
    if unknown := asked.keys() - set(names):
        expected = " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
        raise _WrongQueryError(f"expected {expected}, got {', '.join(sorted(unknown))}")


def _wanted(asked: Mapping[str, str]) -> Wanted:
    _known(asked, "game", "phase", "open", "player", "before")
    if (phase := asked.get("phase")) not in (None, "lobby", "playing"):
        raise _WrongQueryError(f"phase: expected lobby or playing, got {phase}")
    return Wanted(asked.get("game"), phase, _flag("open", asked), asked.get("player"), _before(asked))


def _wanted_matches(asked: Mapping[str, str]) -> Matches:
    _known(asked, "game", "player", "before")
    return Matches(0, asked.get("game"), asked.get("player"), _before(asked))


def _before(asked: Mapping[str, str]) -> int | None:
    before = asked.get("before")
    try:
        return None if before is None else parse_room_code(before)
    except RoomCodeError as error:
        raise _WrongQueryError(f"before: {error}") from error


def _wanted_ranking(game: str, asked: Mapping[str, str]) -> Ranking:
    _known(asked, "offset", "bots")
    offset = asked.get("offset", "0")
    if not (offset.isascii() and offset.isdigit() and len(offset) < 10):
        raise _WrongQueryError(f"offset: expected a whole number, got {offset}")
    return Ranking(0, game, int(offset), _flag("bots", asked))


def _flag(name: str, asked: Mapping[str, str]) -> bool:
    if (flag := asked.get(name, "false")) not in ("true", "false"):
        raise _WrongQueryError(f"{name}: expected true or false, got {flag}")
    return flag == "true"


def _view(asked: Mapping[str, str]) -> ReplayView:
    _known(asked, "view")
    view = asked.get("view", "all")
    for known in _VIEWS:
        if view == known:
            return known
    raise _WrongQueryError(f"view: expected {' or '.join(_VIEWS)}, got {view}")
