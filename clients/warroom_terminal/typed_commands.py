"""Parses the commands that a player can type besides actions."""

from typing import Final

from msgspec import Struct

HELP: Final = (
    "type the number of a choice, or an action: TYPE FIELD=VALUE …",
    "  /legal [TEXT]   list your choices (only those that contain TEXT)",
    "  /more           next page of choices",
    "  /board          show the board",
    "  /seats          show the seats",
    "  /rules          how to play, in short",
    "  /say TEXT       chat (short form: 'TEXT)",
    "  /mute WHO       hide chat of a seat or name (/unmute: show again)",
    "  /draw, /pause, /resume, /rematch   offer or accept (/draw off: withdraw)",
    "  /resign         resign",
    "  /reclaim        take over from a bot that plays for you",
    "  /fill [N] [BOT] bots for all open seats, or for seat N (host)",
    "  /kick N         remove the player at seat N (host)",
    "  /silence WHO    mute a seat or name for everybody (host; /unsilence: undo)",
    "  /start          start the match now (host)",
    "  /device         show how to use your seat on another device",
    "  /rotate         revoke your older tokens and disconnect your other devices",
    "  /quit           leave (also Ctrl-D); a running match keeps your seat",
    "  /help           show this list",
)

_ALONE: Final = ("/legal", "/more", "/board", "/seats", "/rules", "/resign", "/help")
HELP_ALONE: Final = (
    HELP[0],
    *(line for line in HELP if line.split()[0] in _ALONE),
    "  /rematch        play again after the end",
    "  /quit           leave (also Ctrl-D); the match is not kept",
)
"""The commands of a match without a server."""


class TypedCommand(Struct, frozen=True):
    """A typed line: the word after the slash (empty: an action) and the rest."""

    word: str
    rest: str


def parse_line(line: str) -> TypedCommand | None:
    """Parse a line; None if it is blank."""
    text = line.strip()
    if not text:
        return None
    if text.startswith("'"):
        return TypedCommand("say", text[1:].strip())
    if not text.startswith("/"):
        return TypedCommand("", text)
    word, _, rest = text[1:].partition(" ")
    return TypedCommand(word.lower(), rest.strip())
