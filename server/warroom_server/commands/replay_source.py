"""Loads a replay for `replay` and `verify`, from a file or from the server that hosted the match."""

import os
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

from warroom_games.invocation import program
from warroom_protocol.addresses import http_origin, server_url, usual_url
from warroom_protocol.errors import AddressError, RoomCodeError
from warroom_protocol.rooms import invitation, parse_invitation
from warroom_server.counted_address import is_loopback

TIMEOUT_S = 10
MAX_BYTES = 64 * 1024 * 1024


class SourceError(Exception):
    """The replay is not available; *is_usage*: the argument is neither a file nor a room code."""

    def __init__(self, message: str, *, is_usage: bool = False) -> None:
        super().__init__(message)
        self.is_usage = is_usage


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments that select a replay."""
    parser.add_argument("source", metavar="FILE|CODE", help="a replay file, or the room code of a finished match")
    parser.add_argument(
        "--url",
        type=_server,
        default=usual_url(os.environ),
        help="the server to ask for a CODE, such as HOST:PORT (default: %(default)s)",
    )
    parser.add_argument(
        "--game", dest="extra_games", action="append", default=[], metavar="MODULE:OBJECT", help="also load this game"
    )


def _server(text: str) -> str:
    try:
        return server_url(text)
    except AddressError as error:
        raise ArgumentTypeError(str(error)) from error


def load(source: str, url: str) -> bytes:
    """Return the bytes of a replay; a file takes precedence over a room code of the same name."""
    path = Path(source)
    if path.exists() and not path.is_dir():
        try:
            return path.read_bytes()
        except OSError as error:
            raise SourceError(f"cannot read {source}: {error.strerror}") from error
    try:
        code = invitation(*parse_invitation(source))
    except RoomCodeError as error:
        raise SourceError(f"no file {source!r}, and not a room code: {error}", is_usage=True) from error
    return _fetch(code, url)


def _fetch(code: str, url: str) -> bytes:
    origin = http_origin(url)
    # A proxy cannot reach a server on this machine.
    opener = build_opener(ProxyHandler({})) if is_loopback(urlsplit(url).hostname or "") else build_opener()
    try:
        with opener.open(f"{origin}/api/replays/{code}", timeout=TIMEOUT_S) as response:
            data: bytes = response.read(MAX_BYTES)
    except HTTPError as error:
        with error:
            raise SourceError(_refusal(code, url, error)) from error
    except (URLError, OSError) as error:
        raise SourceError(
            f"cannot reach {origin} for room {code}; `{program(os.environ)} serve` starts a server"
        ) from error
    return data


def _refusal(code: str, url: str, error: HTTPError) -> str:
    if error.code == 403:
        fetch = f"{program(os.environ)} fetch {code} --url {url}"
        return f"room {code} does not reveal the whole match yet; `{fetch}` shows the public part"
    if error.code == 404:
        return f"the server at {url} has no replay of room {code}: the match is not over, or its replay expired"
    return f"the server at {url} answered {error.code} to the request for the replay of room {code}"
