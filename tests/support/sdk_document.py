"""docs/PYTHON_SDK.md, made from the docstrings of `warroom_client`.

`python tests/support/sdk_document.py --write` writes it after a change of the SDK; a test says when that is due.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from types import FunctionType
from typing import Final

import msgspec
from msgspec import Struct

import warroom_client
from warroom_client import events
from warroom_protocol.descriptions import field_texts
from warroom_protocol.messages import PARTS

PAGE: Final = Path(__file__).parents[2] / "docs" / "PYTHON_SDK.md"
REFERENCE: Final = "PROTOCOL_REFERENCE.md"
INTERNAL: Final = "    # --- for the client -"
"""What follows this line of a class is for the package itself."""

SECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "Connecting and asking": ("Client",),
    "A room": ("Room", "LegalActions"),
    "Lists and streams": ("LiveRooms", "ListingChange", "MessageStream"),
    "A room over MQTT": ("follow_feed", "FeedRoom"),
    "Errors": (
        "ClientError",
        "RejectedError",
        "DisconnectedError",
        "VersionError",
        "UnsendableError",
    ),
    "A client's copy of a room": ("Mirror", "Reception"),
}
"""What the package exports besides events and messages, in the order of the page."""

FROM_CLIENT: Final[Mapping[str, str]] = {
    "hello": "`Client(...)`, again after every break; `Client.rotate`",
    "games": "`Client.games`",
    "rooms": "`Client.rooms`, `Client.live_rooms`, `Client.follow`",
    "older": "`Client.rooms(before=...)`",
    "create": "`Client.create`",
    "quick": "`Client.quick`",
    "join": "`Client.join`, `Client.move_on`; with a position after a break",
    "watch": "`Client.watch`, `Client.move_on`; with a position after a break",
    "leave": "`Room.leave`",
    "start": "`Room.start`",
    "fill": "`Room.fill`",
    "kick": "`Room.kick`",
    "act": "`Room.act`",
    "legal": "`Room.legal`",
    "resync": "by itself, after a gap or a wrong checksum",
    "resign": "`Room.resign`",
    "reclaim": "`Room.reclaim`, and by itself unless `reclaims=False`",
    "offer": "`Room.offer`",
    "say": "`Room.say`",
    "mute": "`Room.mute`",
    "matches": "`Client.matches`",
    "replay": "`Client.replay`",
    "ranking": "`Client.ranking`",
    "work": "`Client.work`",
    "claim": "`Client.claim`",
    "ping": "`Client.ping`",
}
"""How the SDK sends each message of a client."""

FROM_SERVER: Final[Mapping[str, str]] = {
    "welcome": "`Client.player`, `Client.token`, `Client.name`, `Client.server`, `Client.protocol`",
    "games": "returned by `Client.games`",
    "rooms": "returned by `Client.rooms`; the first `ListingChange`",
    "listed": "`ListingChange` of `LiveRooms`",
    "created": "returned by `Client.create`",
    "joined": "`Room.about`, `Room.seat`, `Room.seat_token`",
    "resumed": "`Reconnected`",
    "snapshot": "`Room.public`, `Room.private`; `Refreshed`",
    "update": "`Room.public`; `Updated.events`",
    "private": "`Room.private`; `Updated.private`",
    "prompt": "`Room.prompt`; `Prompted`",
    "verdict": "returned by `Room.act`, or raised as `RejectedError`; `Judged`",
    "expired": "`TimedOut`",
    "legal": "returned by `Room.legal`",
    "seats": "`Room.seats`, `Room.phase`, `Room.host`, `Room.watching`; `SeatsChanged`",
    "paused": "`Room.paused`; `Paused`, `Unpaused`",
    "offers": "`Room.offers`; `OffersChanged`",
    "said": "`Room.said`; `Said`",
    "moved": "`Room.moved`; `Moved`",
    "ended": "`Room.ended`; `Ended`",
    "matches": "returned by `Client.matches`",
    "replay": "put together by `Client.replay`",
    "ranking": "returned by `Client.ranking`",
    "summon": "`Client.work`",
    "done": "the request returns",
    "notice": "`Client.notices`; `Noticed`",
    "pong": "`Client.ping`",
    "error": "raised as `RejectedError` or `VersionError`",
}
"""Where each message of a server arrives in a program."""


def page() -> str:
    """Return the whole page."""
    sections = [_head()]
    for title, names in SECTIONS.items():
        sections += [f"## {title}\n", *(_entry(name) for name in names)]
        if title == "A room":
            sections += ["## Events\n", _events()]
    sections += [_messages(), _coverage()]
    return "\n".join(sections)


def _head() -> str:
    text = inspect.getdoc(warroom_client) or ""
    text = re.sub(r"(?m)(?:^    .*\n|^\n+(?=    ))+", lambda code: f"\n```python{dedent(code[0])}```\n", f"{text}\n")
    title, _, rest = text.partition("\n")
    return (
        "# The Python SDK\n\n"
        "<!-- Written by tests/support/sdk_document.py from the docstrings of warroom_client. -->\n\n"
        f"`warroom_client`: {title.partition(': ')[2]} A test runs the program below; "
        f"[WRITING_A_BOT.md](WRITING_A_BOT.md) shows bots, [PROTOCOL.md](PROTOCOL.md) what goes over the wire.\n{rest}"
    )


def _entry(name: str) -> str:
    thing = getattr(warroom_client, name)
    if isinstance(thing, FunctionType):
        return f"### {name}\n\n{_signature(_definition(thing), is_method=False)}\n\n{_text(thing)}\n"
    parts = [f"### {name}\n", _text(thing) + "\n"]
    if issubclass(thing, Struct):
        return "\n".join([*parts, _fields(thing)])
    made = _definition(thing.__init__) if "__init__" in vars(thing) else None
    if made is not None and name in ("Client", "Mirror"):
        parts.insert(1, _signature(made, is_method=True, name=name) + "\n")
    return "\n".join([*parts, *_members(thing)])


def _events() -> str:
    return "\n".join(f"### {kind.__name__}\n\n{_text(kind)}\n\n{_fields(kind)}" for kind in _event_kinds())


def _event_kinds() -> list[type[Struct]]:
    return [kind for kind in vars(events).values() if _is_struct(kind) and kind.__name__ in warroom_client.__all__]


def _is_struct(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _fields(kind: type[Struct]) -> str:
    texts = field_texts(kind)
    rows = []
    for declared in _body(kind):
        if isinstance(declared, ast.AnnAssign) and isinstance(declared.target, ast.Name):
            default = f" = {ast.unparse(declared.value)}" if declared.value is not None else ""
            meaning = texts.get(declared.target.id)
            row = f"- `{declared.target.id}: {_plain(declared.annotation)}{default}`"
            rows.append(f"{row}: {meaning}" if meaning else row)
    return "\n".join([*rows, ""]) if rows else ""


def _members(kind: type) -> Iterator[str]:
    """Yield the members of a class and of its bases in this package."""
    for base in kind.__mro__:
        if base.__module__.startswith("warroom_client") and not base.__name__.startswith("_"):
            yield from _own_members(base, skip=set(vars(kind)) if base is not kind else set())


def _own_members(kind: type, skip: set[str]) -> Iterator[str]:
    source = dedent(inspect.getsource(kind))
    last = source[: source.find(INTERNAL)].count("\n") if INTERNAL in source else sys.maxsize
    for item in _body(kind):
        if item.lineno > last:
            return
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            yield from _attributes(item)
        elif isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
            if not item.name.startswith("_") and item.name not in skip:
                yield _member(item)
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            text = field_texts_of(kind).get(item.target.id)
            if text:
                yield _listed(item.target.id, item.annotation, text)


def field_texts_of(kind: type) -> dict[str, str]:
    """Return the texts under the class variables of a class."""
    return dict(_texts(_body(kind)))


def _attributes(made: ast.FunctionDef) -> Iterator[str]:
    """Yield the attributes that `__init__` sets and describes."""
    for name, text in _texts(made.body):
        (declared,) = (
            item
            for item in made.body
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Attribute) and item.target.attr == name
        )
        yield _listed(name, declared.annotation, text)


def _texts(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for declared, text in pairwise(body):
        if isinstance(declared, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            target = declared.target
            name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
            yield name, " ".join(str(text.value.value).split())


def _listed(name: str, kind: ast.expr, text: str) -> str:
    return f"**`{name}: {_plain(kind)}`**\n\n{text}\n"


def _member(item: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    text = inspect.cleandoc(ast.get_docstring(item) or "")
    if any(getattr(mark, "id", "") == "property" for mark in item.decorator_list):
        assert item.returns is not None
        return _listed(item.name, item.returns, text)
    return f"{_signature(item, is_method=True)}\n\n{text}\n"


def _signature(item: ast.FunctionDef | ast.AsyncFunctionDef, *, is_method: bool, name: str = "") -> str:
    arguments = ast.unparse(item.args)
    if is_method:
        arguments = re.sub(r"^self(, )?", "", arguments)
    before = "await " if isinstance(item, ast.AsyncFunctionDef) and not _is_generator(item) else ""
    given = "" if item.returns is None or name else f" -> {_plain(item.returns)}"
    return f"**`{before}{name or item.name}({_short(arguments)}){given}`**"


def _is_generator(item: ast.AsyncFunctionDef) -> bool:
    return item.returns is not None and ast.unparse(item.returns).startswith("Async")


def _plain(kind: ast.expr) -> str:
    return _short(ast.unparse(kind))


def _short(text: str) -> str:
    """Leave out the modules of types: they are those of this page, and parts of messages."""
    return re.sub(r"\b(wire|events)\.", "", text).replace("'", '"')


def _text(thing: object) -> str:
    return inspect.getdoc(thing) or ""


def _definition(function: object) -> ast.FunctionDef | ast.AsyncFunctionDef:
    (found,) = ast.parse(dedent(inspect.getsource(inspect.unwrap(function)))).body  # type: ignore[arg-type]
    assert isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef)
    return found


def _body(kind: type) -> list[ast.stmt]:
    (found,) = ast.parse(dedent(inspect.getsource(kind))).body
    assert isinstance(found, ast.ClassDef)
    return found.body


def wire_names() -> list[str]:
    """Return the parts and messages of the protocol that the package exports."""
    kinds = {name: getattr(warroom_client, name) for name in warroom_client.__all__}
    return [name for name, kind in kinds.items() if _is_struct(kind) and kind.__module__.startswith("warroom_protocol")]


def _messages() -> str:
    lines = [
        "## Parts of messages\n",
        f"The package exports these Structs of the protocol; [{REFERENCE}]({REFERENCE}) says what their fields mean.\n",
    ]
    for name in wire_names():
        kind = getattr(warroom_client, name)
        tag = kind.__struct_config__.tag
        anchor = name.lower() if kind in PARTS else f"-{tag}"
        fields = ", ".join(f"`{field.name}`" for field in msgspec.structs.fields(kind))
        lines.append(f"- [`{name}`]({REFERENCE}#{anchor}): {fields}")
    return "\n".join([*lines, ""])


def _coverage() -> str:
    rows = ["## The protocol and the SDK\n", "What a client may send, and how a program does it:\n"]
    rows += ["| message | SDK |", "| --- | --- |", *(f"| `{name}` | {how} |" for name, how in FROM_CLIENT.items())]
    rows += ["", "What a server sends, and where it arrives:\n", "| message | SDK |", "| --- | --- |"]
    return "\n".join([*rows, *(f"| `{name}` | {how} |" for name, how in FROM_SERVER.items()), ""])


def main(arguments: list[str]) -> int:
    """Write the page, or say whether it is up to date."""
    made = page()
    if arguments == ["--write"]:
        PAGE.write_text(made, encoding="utf-8")
        return 0
    is_current = PAGE.exists() and PAGE.read_text(encoding="utf-8") == made
    sys.stdout.write("up to date\n" if is_current else f"out of date: {PAGE.name}\n")
    return 0 if is_current else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
