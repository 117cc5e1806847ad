"""A complete bot without the SDK, written from docs/PROTOCOL.md; it needs `pip install websockets msgpack`.

python raw_bot.py ws://127.0.0.1:8000/ws CODE    joins the room and plays any legal action
python raw_bot.py ws://127.0.0.1:8000/ws         creates a room for two, prints its code, and plays there
"""

import secrets
import sys
from typing import Any

try:
    import msgpack
    from websockets.exceptions import WebSocketException
    from websockets.sync.client import ClientConnection, connect
except ImportError as error:
    raise SystemExit(f"{error.name} is missing: pip install websockets msgpack") from error


def send(line: ClientConnection, *message: object) -> None:
    """Send a message: an array of its name and its fields."""
    line.send(msgpack.packb(message))


def receive(line: ClientConnection) -> list[Any]:
    """Return the next message."""
    message: list[Any] = msgpack.unpackb(line.recv(decode=False))
    return message


def ask(line: ClientConnection, name: str, *fields: object) -> list[Any]:
    """Send a request under a fresh ref and return the fields of its reply; skip everything else."""
    ref = secrets.randbits(53)
    send(line, name, ref, *fields)
    while True:
        kind, *rest = receive(line)
        if kind == "error" and rest[0] in (ref, None):
            raise SystemExit(f"{name} was refused: {rest[2]} ({rest[1]})")
        if kind in ("welcome", "created", "joined") and rest[0] == ref:
            return rest[1:]


def room_number(code: str) -> int:
    """Parse a room code: seven digits in base 32."""
    alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
    return sum(alphabet.index(letter) << 5 * place for place, letter in enumerate(reversed(code.lower())))


def play(line: ClientConnection, room: int) -> tuple[list[int], str]:
    """Answer every prompt with a legal action until the match is over, and return the ranks and the reason."""
    actions: list[Any] = []  # the last list, to which nil refers; an empty one: the clock acted first
    while True:
        kind, *fields = receive(line)
        if kind == "prompt" and fields[0] == room:
            send(line, "legal", secrets.randbits(53), room)
        elif kind == "legal" and fields[1] == room and (actions := actions if fields[4] is None else fields[4]):
            send(line, "act", room, secrets.randbits(53), fields[2], secrets.choice(actions))
        elif kind == "verdict" and fields[2] is not None:
            print(f"refused: {fields[3]} ({fields[2]})", flush=True)
        elif kind == "ended" and fields[0] == room:
            return fields[1], fields[2]


def main(url: str, code: str | None = None) -> None:
    """Play one match."""
    with connect(url, proxy=None) as line:
        ask(line, "hello", [1], "raw bot", None, "raw-bot", False, "any legal action")
        code = code or ask(line, "create", "graph_battle", 2, {}, {})[1]
        ask(line, "join", room_number(code))
        print(f"in room {code}", flush=True)
        print("ended by {1}; ranks by seat: {0}".format(*play(line, room_number(code))), flush=True)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python raw_bot.py URL [CODE], where URL is like ws://127.0.0.1:8000/ws")
    try:
        main(*sys.argv[1:])
    except (OSError, WebSocketException, ValueError) as error:
        sys.exit(f"cannot play on {sys.argv[1]}: {error}")
