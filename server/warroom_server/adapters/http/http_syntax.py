"""Just enough HTTP: one GET or HEAD per connection, parsed strictly, answered and closed."""

import re
from email.utils import formatdate
from http import HTTPStatus
from urllib.parse import urlsplit

from msgspec import structs
from websockets.exceptions import SecurityError
from websockets.http11 import Request
from websockets.streams import StreamReader

from warroom_server.ports.connections import HttpResponse

MAX_HEAD_BYTES = 8192
"""Request line and header fields together."""

_LATER = {"Retry-After": "1"}
_HINTS = {
    HTTPStatus.METHOD_NOT_ALLOWED: {"Allow": "GET, HEAD"},
    HTTPStatus.TOO_MANY_REQUESTS: _LATER,
    HTTPStatus.SERVICE_UNAVAILABLE: _LATER,
}

SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": (
        "default-src 'none'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
}
"""The default security headers of all answers; images are allowed for the icon of the tab.

Cross-Origin-Opener-Policy is not among them: over plain http, browsers ignore it and log a warning. A proxy that
serves https may add it.
"""

_END = b"\r\n\r\n"
_REQUEST_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([!-~]+) HTTP/1\.[01]\r\n")


class HttpError(ValueError):
    """A request that cannot be answered as asked; *status* says why."""

    def __init__(self, status: HTTPStatus, detail: str) -> None:
        super().__init__(detail)
        self.status = status

    def response(self) -> HttpResponse:
        """Return the response for the client."""
        return HttpResponse(self.status, f"{self}\n".encode(), headers=_HINTS.get(self.status, {}))


def split_head(received: bytearray) -> tuple[bytes, bytes] | None:
    """Return the head of a request and what follows it, or None while the head is incomplete."""
    end = received.find(_END, 0, MAX_HEAD_BYTES) + len(_END)
    if end >= len(_END):
        return bytes(received[:end]), bytes(received[end:])
    if len(received) >= MAX_HEAD_BYTES:
        raise HttpError(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"the head exceeds {MAX_HEAD_BYTES} bytes")
    # A client that does not speak HTTP need not wait for the timeout.
    if b"\r\n" in received and not _REQUEST_LINE.match(received):
        raise HttpError(HTTPStatus.BAD_REQUEST, "no HTTP/1.1 request line")
    return None


def parse_head(head: bytes) -> Request:
    """Return a request without a body, a HEAD as the GET that it asks about; raise `HttpError` for everything else."""
    line = _REQUEST_LINE.match(head)
    if line is None:
        raise HttpError(HTTPStatus.BAD_REQUEST, "no HTTP/1.1 request line")
    is_head = line[1] == b"HEAD" and b"\r\nupgrade:" not in head.lower()
    if line[1] != b"GET" and not is_head:
        raise HttpError(HTTPStatus.METHOD_NOT_ALLOWED, f"method {line[1].decode()} is not supported, only GET and HEAD")
    request = _read(b"GET" + head[len(line[1]) :])
    if request.protocol == "HTTP/1.1" and len(request.headers.get_all("Host")) != 1:
        raise HttpError(HTTPStatus.BAD_REQUEST, "exactly one Host field is required")
    return request


def split_target(target: str) -> tuple[str, str]:
    """Return path and query of a request's target, both still percent-encoded."""
    if target.startswith("/"):
        path, _, query = target.partition("?")
        return path, query
    try:
        parts = urlsplit(target)
    except ValueError as error:
        raise HttpError(HTTPStatus.BAD_REQUEST, "the target is no URL") from error
    if parts.scheme not in ("http", "https"):
        raise HttpError(HTTPStatus.BAD_REQUEST, "the target is neither a path nor an http URL")
    return parts.path or "/", parts.query


def negotiate(response: HttpResponse, request: Request) -> HttpResponse:
    """Return a response for *request*: without body if unchanged, compressed if the client accepts that."""
    tag = response.headers.get("ETag")
    if tag is not None and tag in _listed(request, "If-None-Match"):
        return structs.replace(response, status=HTTPStatus.NOT_MODIFIED, body=b"", compressed=None)
    if response.compressed is None:
        return response
    headers = {**response.headers, "Vary": "Accept-Encoding"}
    if "gzip" not in _listed(request, "Accept-Encoding"):
        return structs.replace(response, headers=headers)
    headers["Content-Encoding"] = "gzip"
    return structs.replace(response, body=response.compressed, headers=headers)


def _listed(request: Request, field: str) -> set[str]:
    """Return the values of a header field, without weights and without those of weight 0."""
    values = (value for line in request.headers.get_all(field) for value in line.split(","))
    parts = (value.strip().removeprefix("W/").partition(";") for value in values)
    return {name.strip() for name, _, weight in parts if not re.fullmatch(r"\s*q=0(\.0*)?\s*", weight)}


def render(response: HttpResponse, *, is_head: bool = False) -> bytes:
    """Return the bytes of a response after which the connection closes; that of a HEAD has no body."""
    status = HTTPStatus(response.status)
    fields = {"Date": formatdate(usegmt=True), "Connection": "close", **SAFE}
    if status is not HTTPStatus.NOT_MODIFIED:  # which has no body
        fields |= {"Content-Type": response.content_type, "Content-Length": str(len(response.body))}
    fields |= response.headers
    lines = [f"HTTP/1.1 {status.value} {status.phrase}", *(f"{name}: {value}" for name, value in fields.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + (b"" if is_head else response.body)


def _read(head: bytes) -> Request:
    reader = StreamReader()
    reader.feed_data(head)
    reader.feed_eof()
    parsing = Request.parse(reader.read_line)
    try:
        next(parsing)
    except StopIteration as parsed:
        request = parsed.value
        assert isinstance(request, Request)
        return request
    except SecurityError as error:
        raise HttpError(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, str(error)) from error
    except (ValueError, EOFError, NotImplementedError) as error:
        raise HttpError(HTTPStatus.BAD_REQUEST, str(error)) from error
    raise AssertionError("a complete head was not parsed to its end")
