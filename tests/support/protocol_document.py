"""What is generated in docs/PROTOCOL.md: the session, the examples, and the tables that the code already holds.

Run this file to write the document and the golden frames after a change of the protocol; the tests only compare.
"""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from example_bot_session import FILLING
from example_faults import FAULTS
from example_messages import CLIENT, SERVER, Example
from example_server import Line
from example_session import SESSION
from golden_frames import FRAMES, GOLDEN, golden, twin
from log_document import entry_rows, replay_block, room_option_rows

from warroom_protocol import codes, limits
from warroom_protocol.canonical import canonical, checksum
from warroom_protocol.codec import encode
from warroom_protocol.messages import CLIENT_MESSAGES
from warroom_protocol.patches import apply
from warroom_server.adapters.websocket import limits as websocket_shell
from warroom_server.config import Settings
from warroom_server.hosting import connections as lines
from warroom_server.hosting import expiry as clearing
from warroom_server.lobby import room_lists as listing
from warroom_server.node import dispatcher as node
from warroom_server.ports.directory import QuickRules
from warroom_server.room import absences, room, streams
from warroom_server.room import handoff_state as unwritten
from warroom_server.room import verdict_cache as verdicts
from warroom_server.room.bots import bot_tickets as tickets
from warroom_server.room.social import chat
from warroom_server.session import names
from warroom_server.session.limits import COSTS, Limits

DOCUMENT = Path(__file__).parents[2] / "docs" / "PROTOCOL.md"

_ARROWS = {"client": "→", "server": "←"}
_WIDTH = 32
_GENERATED = re.compile(r"(<!-- (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)

_PATCHES: list[tuple[Any, list[Any]]] = [
    ({"round": 1, "row": [2]}, [[["round"], 2]]),
    ({"hand": [1, 4], "bid": 4}, [[["hand"], 1, []], [["bid"], None]]),
    ({"scores": [0, 0], "past": []}, [[["scores", 1], 3], [["past"], 0, [{"winner": 1}]]]),
    ({"cells": [{"owner": 0, "army": 3}, {"owner": 1, "army": 5}]}, [[["cells", 1, "army"], 4]]),
    ({"offer": {"by": 0, "gold": 7}, "turn": 5}, [[["offer"]]]),
    (None, [[[], {"round": 1}]]),
]
_SUMS: list[Any] = [None, {"b": [1, -1, 300], "a": True}, {"é": "🎲", "z": {}}]


def hex_lines(frame: bytes) -> str:
    """Return bytes as lines of hex."""
    return "\n".join(frame[start : start + _WIDTH].hex(" ") for start in range(0, len(frame), _WIDTH))


def example_block(example: Example) -> str:
    """Return an example as it stands in the document: the bytes, then the JSON twin."""
    return f"```hex\n{hex_lines(encode(example.message))}\n```\n```json\n{_json(twin(example.message))}\n```\n"


def session_block(session: Iterable[Line]) -> str:
    """Return an annotated exchange as it stands in the document."""
    parts = []
    for line in session:
        frame = encode(line.message)
        name = f"{line.who} {_ARROWS[line.direction]} {line.message.__struct_config__.tag}".strip()
        parts.append(
            f"**{name}** ({len(frame)} bytes). {line.remark}\n"
            f"```hex\n{hex_lines(frame)}\n```\n```json\n{_json(twin(line.message))}\n```\n"
        )
    return "\n".join(parts)


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
        "values in it: elements, keys and containers": f"{limits.MAX_VALUES}",
        "containers around any value, the message included": f"{limits.MAX_DEPTH}",
        "websocket fragments of one message": f"{shell.fragments}",
        "a message from the server": f"{limits.MAX_SERVER_BYTES} bytes",
        "operations in a patch": f"{limits.MAX_OPERATIONS}",
        "steps in a path": f"{limits.MAX_PATH}",
        "steps of each stream that are kept for resuming": f"{streams.RING}",
        "of these, over a restart of the server": f"{streams.STORED}",
        "refused actions of one player that are remembered": f"{verdicts.REFUSALS}",
        "time to say hello": f"{node.HELLO_MS // 1000} s",
        "messages of one connection": f"{session.messages_per_s} a second, rested {session.messages_burst} at once",
        "bytes of one connection": f"{session.bytes_per_s} a second, rested {session.bytes_burst} at once",
        "requests that count as several messages": _costs(),
        "websockets from one address": f"{settings.connections_per_address}",
        "rooms on one connection": f"{session.rooms}",
        "unfinished rooms that one player may have created": f"{settings.rooms_per_player}",
        "unfinished rooms that may have been created from one address": f"{settings.rooms_per_address}",
        "a room that nobody follows, until it is ended": f"{settings.idle_s} s",
        "the same, before the match and where nobody sits": f"{clearing.UNUSED_MS // 1000} s",
        "entries of a room's log before the match begins, until it is ended": f"{room.LOBBY_ENTRIES}",
        "an ended room, until it is let go": f"{clearing.LINGER_MS // 1000} s",
        "replays are kept": f"{settings.replay_days} days",
        "a name": f"{names.MAX_LENGTH} characters",
        "a line of a conversation": f"{names.MAX_LINE} characters",
        "lines of one person in one room": f"{chat.LINES} in {chat.WITHIN_MS // 1000} s",
        "lines that are told to whoever enters": f"{chat.KEPT}",
        "people that one player or spectator, or the host, mutes in a room": f"{unwritten.MUTED}",
        "to claim a seat with the ticket of a `summon`": f"{tickets.CLAIM_MS // 1000} s",
        "a bot without a connection, until another one is sent for": f"{absences.REPLACE_MS // 1000} s",
        "a seat that is held after `quick`": f"{QuickRules().held_ms // 1000} s",
        "rooms in a listing": f"{listing.LISTED}",
        "age of a listing": f"{listing.KEPT_MS} ms",
        "plain GETs from one address": f"{shell.gets_per_s} a second",
        "websocket pings and pongs from a client": f"{shell.controls_per_s} a second",
        "between the server's websocket pings, after the first few": f"{shell.ping_ms // 1000} s",
        "to answer a websocket ping": f"{shell.pong_ms // 1000} s",
        "bytes waiting for a viewer until updates are left out": f"{shell.congested_bytes}",
        "time to catch up after that": f"{lines.SLOW_MS // 1000} s",
        "bytes waiting for a client at all": f"{shell.unsent_bytes}",
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
    return _GENERATED.sub(lambda found: found[1] + _generated(*found[2].split()) + found[3], text)


def _generated(kind: str, *names: str) -> str:
    match kind:
        case "session" | "filling":
            return session_block({"session": SESSION, "filling": FILLING}[kind])
        case "example":
            return example_block(_EXAMPLES[names])
        case "codes":
            return code_block(*names)
        case "patches" | "sums":
            return {"patches": patch_block, "sums": sum_block}[kind]()
        case "room_options":
            return _table(("option", "allowed", "default", "meaning"), room_option_rows())
        case "entries":
            return _table(("name", "fields", "meaning"), entry_rows())
        case "replay":
            return replay_block()
        case "faults":
            return _table(("what is wrong", "answer", "connection"), (fault.row for fault in FAULTS[names[0]]))
        case "limits":
            return limit_block()
        case _:
            raise ValueError(f"nothing is generated for {kind!r}")


_EXAMPLES: Mapping[tuple[str, ...], Example] = {
    (example.direction, example.name): example for example in (*CLIENT, *SERVER)
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


if __name__ == "__main__":
    for name, examples in GOLDEN.items():
        (FRAMES / f"{name}.json").write_text(golden(examples))
    DOCUMENT.write_text(document(DOCUMENT.read_text()))
