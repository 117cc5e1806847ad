"""Lua scripts as commands."""

from collections.abc import Sequence
from hashlib import sha1
from importlib.resources import files
from typing import Final

from warroom_server.adapters.redis.command_sender import Argument, Command

_TEXTS: Final = {
    file.name.removesuffix(".lua"): file.read_text("utf-8")
    for file in files("warroom_server.adapters.redis.scripts").iterdir()
    if file.name.endswith(".lua")
}
_HASHES: Final = {name: sha1(text.encode(), usedforsecurity=False).hexdigest() for name, text in _TEXTS.items()}

SCRIPT_LOADS: Final[tuple[Command, ...]] = tuple(("SCRIPT", "LOAD", text) for text in _TEXTS.values())
"""The commands that teach a server every script; harmless to repeat."""


def script(name: str, keys: Sequence[str], *arguments: Argument) -> Command:
    """Return the command that runs a script on a server that knows its text."""
    return ("EVALSHA", _HASHES[name], len(keys), *keys, *arguments)
