"""Lua scripts as commands."""

from collections.abc import Sequence
from hashlib import sha1
from importlib.resources import files
from typing import Final

from msgspec import Struct

from warroom_server.adapters.redis.connection import Argument, Command


class Script(Struct, frozen=True):
    """One script, called by its hash once the server knows its text."""

    text: str
    sha: str

    def call(self, keys: Sequence[str], *arguments: Argument) -> Command:
        """Return the command that runs it."""
        return ("EVALSHA", self.sha, len(keys), *keys, *arguments)


def _read(name: str) -> Script:
    text = files("warroom_server.adapters.redis.scripts").joinpath(f"{name}.lua").read_text("utf-8")
    return Script(text=text, sha=sha1(text.encode(), usedforsecurity=False).hexdigest())


CREATE: Final = _read("create")
APPEND: Final = _read("append")
DISPUTE: Final = _read("dispute")
SAVE: Final = _read("save")
LOAD: Final = _read("load")
CLAIM: Final = _read("claim")
RELEASE: Final = _read("release")
ARCHIVE: Final = _read("archive")
RENEW: Final = _read("renew")
SUSPECT: Final = _read("suspect")
FORGET: Final = _read("forget")
ROTATE: Final = _read("rotate")
PUBLISH: Final = _read("publish")
RATE: Final = _read("rate")
PUBLISH_ROOMS: Final = _read("publish_rooms")
FIND_ROOMS: Final = _read("find_rooms")
PUBLISH_OPEN: Final = _read("publish_open")
QUICK_MATCH: Final = _read("quick_match")

_ALL: Final = (
    CREATE, APPEND, DISPUTE, SAVE, LOAD, CLAIM, RELEASE, ARCHIVE, RENEW, SUSPECT, FORGET, ROTATE, PUBLISH, RATE,
    PUBLISH_ROOMS, FIND_ROOMS, PUBLISH_OPEN, QUICK_MATCH,
)  # fmt: skip

SCRIPT_LOADS: Final[tuple[Command, ...]] = tuple(("SCRIPT", "LOAD", script.text) for script in _ALL)
"""The commands that teach a server every script; harmless to repeat."""
