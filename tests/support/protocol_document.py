"""The generated blocks of docs/PROTOCOL.md and docs/PROTOCOL_REFERENCE.md, the schemas, golden frames and patches.

A block stands between `<!-- name -->` and `<!-- end -->`. `python tests/support/protocol_document.py --write` writes
them all after a change of the protocol. Without `--write` it says which files are out of date, as the tests do.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from textwrap import fill
from typing import Any, Final

import msgspec
from example_bot_session import FILLING
from example_faults import FAULTS
from example_messages import CLIENT, SERVER, Direction, Example
from example_server import Line
from example_session import SESSION
from golden_frames import FRAMES, GOLDEN, golden, twin
from golden_patches import PATCHES, golden_patches
from log_document import entry_rows, replay_block, room_option_rows, verify_rows
from message_reference import ARROWS, field_default, message_block, parts_block
from msgspec.msgpack import decode

from warroom_games.registry import load_games
from warroom_games.schema_documents import schema_documents
from warroom_protocol import codes, limits, names
from warroom_protocol.canonical import canonical, checksum
from warroom_protocol.codec import encode
from warroom_protocol.messages import CLIENT_MESSAGES, ClientMessage, ServerMessage
from warroom_protocol.patches import apply
from warroom_server.adapters.websocket import listener_state as websocket_shell
from warroom_server.config import Settings
from warroom_server.hosting import connections as lines
from warroom_server.hosting import expiry as clearing
from warroom_server.lobby import room_lists as listing
from warroom_server.ports.listings import QuickRules
from warroom_server.room import handoff_state as unwritten
from warroom_server.room import log_fold as verdicts
from warroom_server.room import presence, room, streams
from warroom_server.room.bots import bot_tickets as tickets
from warroom_server.room.social import chat
from warroom_server.session.limits import COSTS, Limits

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = DOCS / "PROTOCOL.md"
REFERENCE = DOCS / "PROTOCOL_REFERENCE.md"
SCHEMAS = DOCS.parent / "protocol" / "schema"

_WIDTH = 32
_LONG = 100
"""A field of a session that is longer in JSON is shown as an ellipsis."""
_REMARK: Final[dict[str, Any]] = {"initial_indent": "    ", "subsequent_indent": "    "}
_GENERATED = re.compile(r"^(<!-- ([^\n]+) -->\n)(?:.*?\n)??(<!-- end -->)$", re.DOTALL | re.MULTILINE)
_WRITTEN = {"client", "again", "patched"}
"""Blocks that are written by hand and tested, not generated."""

_PATCHES: list[tuple[Any, list[Any]]] = [
    ({"round": 1, "row": [2]}, [[["round"], 2]]),
    ({"hand": [1, 4], "bid": 4}, [[["hand"], 1, []], [["bid"], None]]),
    ({"scores": [0, 0], "past": []}, [[["scores", 1], 3], [["past"], 0, [{"winner": 1}]]]),
    ({"cells": [{"owner": 0, "army": 3}, {"owner": 1, "army": 5}]}, [[["cells", 1, "army"], 4]]),
    ({"turn": 5, "cells": [{"owner": 0, "army": 3}, {"owner": 1, "army": 5}]}, [[[0, 1, 0], 4], [[1], 6]]),
    ({"offer": {"by": 0, "gold": 7}, "turn": 5}, [[["offer"]]]),
    (None, [[[], {"round": 1}]]),
]
_SUMS: list[Any] = [None, {"b": [1, -1, 300], "a": True}, {"é": "🎲", "z": {}}, {"9": 1, "10": 2, "-1": 3, "b": 4}]


def hex_lines(frame: bytes) -> str:
    """Return bytes as lines of hex."""
    return "\n".join(frame[start : start + _WIDTH].hex(" ") for start in range(0, len(frame), _WIDTH))


def example_block(example: Example) -> str:
    """Return an example as it stands in the document: the bytes, then the JSON twin."""
    return f"```hex\n{hex_lines(encode(example.message))}\n```\n```json\n{_json(twin(example.message))}\n```\n"


def messages_block(direction: Direction) -> str:
    """Return the sections of all messages of one direction."""
    examples = {"client": CLIENT, "server": SERVER}[direction]
    return "\n".join(message_block(direction, each.name, example_block(each)) for each in examples)


def session_block(session: Iterable[Line]) -> str:
    """Return an annotated exchange: each message as JSON, and the remark under it."""
    parts = []
    for line in session:
        name = f"{line.who} {ARROWS[line.direction]}".strip()
        parts.append(f"{name} {_brief(line.message)}\n" + fill(line.remark, 116, **_REMARK) + "\n")
    return "```text\n" + "".join(parts) + "```\n"


def _brief(message: ClientMessage | ServerMessage) -> str:
    """Return a message as JSON in one line, without optional fields at its end and with long fields left out."""
    sent = decode(encode(message))
    for field in reversed(msgspec.structs.fields(message)):
        if field.required or getattr(message, field.name) != field_default(field):
            break
        sent.pop()
    return "[" + ", ".join(map(_shown, sent)) + "]"


def _shown(field: object) -> str:
    text = json.dumps(field, ensure_ascii=False)
    if len(text) <= _LONG:
        return text
    return f"{text[0]}…{text[-1]}"


def patch_block() -> str:
    """Return worked examples of patches."""
    rows = [(view, patch, apply(view, patch)) for view, patch in _PATCHES]
    return _table(("before", "patch", "after"), (map(_code, row) for row in rows))


def sum_block() -> str:
    """Return worked examples of checksums."""
    rows = [(_code(view), f"`{canonical(view).hex(' ')}`", str(checksum(view))) for view in _SUMS]
    return _table(("view", "canonical bytes", "sum"), rows)


def limit_block() -> str:
    """Return every limit, as the code has it."""
    session, shell, settings = Limits(), websocket_shell.Limits(), Settings()
    rows = {
        "a message from a client": f"{limits.MAX_CLIENT_BYTES} bytes",
        "values in a client's message: elements, keys and containers": f"{limits.MAX_VALUES}",
        "nesting of a client's message, the message included": f"{limits.MAX_DEPTH}",
        "websocket fragments of one message": f"{shell.fragments}",
        "a message from the server": f"{limits.MAX_SERVER_BYTES} bytes",
        "operations in a patch": f"{limits.MAX_OPERATIONS}",
        "steps in a path": f"{limits.MAX_PATH}",
        "frames of each stream kept for resuming": f"{streams.RING}",
        "frames kept over a restart of the server": f"{streams.STORED}",
        "refused actions remembered per player": f"{verdicts.REFUSALS}",
        "time until `hello`": f"{lines.HELLO_MS // 1000} s",
        "messages per connection": f"{session.messages_per_s} a second, bursts of {session.messages_burst}",
        "bytes per connection": f"{session.bytes_per_s} a second, bursts of {session.bytes_burst}",
        "requests that count as several messages": _costs(),
        "websockets per address": f"{settings.connections_per_address}",
        "rooms per connection": f"{session.rooms_per_connection}",
        "unfinished rooms created by one player": f"{settings.rooms_per_player}",
        "unfinished rooms created from one address": f"{settings.rooms_per_address}",
        "a room without players or spectators, until it is ended": f"{settings.idle_s} s",
        "the same in a lobby where nobody sits": f"{clearing.UNUSED_MS // 1000} s",
        "log entries of a lobby, until it is ended": f"{room.LOBBY_ENTRIES}",
        "an ended room, until it is removed": f"{clearing.LINGER_MS // 1000} s",
        "replays are kept": f"{settings.replay_days} days",
        "a name": f"{names.MAX_LENGTH} characters",
        "a chat line": f"{names.MAX_LINE} characters",
        "chat lines of one person in one room": f"{chat.LINES} in {chat.WITHIN_MS // 1000} s",
        "chat lines sent on entering": f"{chat.KEPT}",
        "players muted by one person, or by the host, in a room": f"{unwritten.MUTED}",
        "time to claim the ticket of a `summon`": f"{tickets.CLAIM_MS // 1000} s",
        "a disconnected bot, until it is replaced": f"{presence.REPLACE_MS // 1000} s",
        "a seat reserved by `quick`": f"{QuickRules().held_ms // 1000} s",
        "rooms in a listing": f"{listing.LISTED}",
        "age of a listing": f"{listing.KEPT_MS} ms",
        "GET requests per address": f"{shell.gets_per_s} a second",
        "websocket pings and pongs of a client": f"{shell.controls_per_s} a second",
        "interval of the server's websocket pings, after the first few": f"{shell.ping_ms // 1000} s",
        "time to answer a websocket ping": f"{shell.pong_ms // 1000} s",
        "bytes waiting for a viewer until updates are skipped": f"{shell.congested_bytes}",
        "time to catch up after that": f"{lines.SLOW_MS // 1000} s",
        "bytes waiting for a client, until it is closed": f"{shell.unsent_bytes}",
    }
    return _table(("what", "limit"), rows.items())


def _costs() -> str:
    names = {
        cost: sorted(name for name, kind in CLIENT_MESSAGES.items() if COSTS.get(kind) == cost)
        for cost in COSTS.values()
    }
    return "; ".join(
        f"{', '.join(f'`{name}`' for name in names[cost])}: {cost}" for cost in sorted(names, reverse=True)
    )


def code_block(name: str) -> str:
    """Return one table of codes."""
    table: Mapping[object, str] = getattr(codes, name)
    return _table(("code", "meaning"), ((f"`{code}`", meaning) for code, meaning in table.items()))


def document(text: str) -> str:
    """Return the document with all that is generated in it as it must be."""
    return _GENERATED.sub(_regenerated, text)


def _regenerated(found: re.Match[str]) -> str:
    if found[2] in _WRITTEN:
        return found[0]
    return found[1] + _generated(*found[2].split()) + found[3]


def _generated(kind: str, *names: str) -> str:
    match kind:
        case "messages":
            return messages_block("client" if names[0] == "client" else "server")
        case "codes":
            return code_block(*names)
        case "faults":
            return _table(("what is wrong", "answer", "connection"), (fault.row for fault in FAULTS[names[0]]))
        case _:
            return _BLOCKS[kind]()


_BLOCKS: Final[Mapping[str, Callable[[], str]]] = {
    "session": lambda: session_block(SESSION),
    "filling": lambda: session_block(FILLING),
    "parts": parts_block,
    "patches": patch_block,
    "sums": sum_block,
    "room_options": lambda: _table(("option", "allowed", "default", "meaning"), room_option_rows()),
    "entries": lambda: _table(("name", "fields", "meaning"), entry_rows()),
    "verify": lambda: _table(("key", "meaning"), verify_rows()),
    "replay": replay_block,
    "limits": limit_block,
}


def _table(head: tuple[str, ...], rows: Iterable[Iterable[str]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def _code(value: object) -> str:
    return f"`{json.dumps(value, ensure_ascii=False)}`"


def _json(value: dict[str, Any]) -> str:
    """Return a twin as JSON, as many fields to a line as fit."""
    lines = [""]
    for name, field in value.items():
        entry = f'"{name}": {json.dumps(field, ensure_ascii=False)}'
        if not lines[-1]:
            lines[-1] = "{" + entry
        elif len(lines[-1]) + len(entry) < 116:
            lines[-1] += ", " + entry
        else:
            lines[-1] += ","
            lines.append("  " + entry)
    return "\n".join(lines) + "}"


def generated_files() -> dict[Path, str]:
    """Return every generated file with the text that it must have."""
    frames = {FRAMES / f"{name}.json": golden(examples) for name, examples in GOLDEN.items()}
    documents = {path: document(path.read_text()) for path in (GUIDE, REFERENCE)}
    return {**frames, PATCHES: golden_patches(), **documents, **_schemas()}


def _schemas() -> dict[Path, str]:
    shipped = [game for game in load_games().newest() if type(game).__module__.startswith("warroom_games.")]
    return {SCHEMAS / path: document.body.decode() for path, document in schema_documents(shipped).items()}


def is_current(path: Path, text: str) -> bool:
    """Whether a generated file has the text that it must have."""
    return path.exists() and path.read_text() == text


def main(arguments: list[str]) -> int:
    """Write the files that are out of date, or name them."""
    is_writing = "--write" in arguments
    outdated = [(path, text) for path, text in generated_files().items() if not is_current(path, text)]
    for path, text in outdated:
        if is_writing:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        sys.stdout.write(f"{'wrote' if is_writing else 'out of date'}: {path.relative_to(DOCS.parent)}\n")
    return 1 if outdated and not is_writing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
