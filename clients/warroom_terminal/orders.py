"""What a player can type besides actions."""

from typing import Final

from msgspec import Struct

HELP: Final = (
    "type the number of a choice, or an action as: type field=value …",
    "  /legal [TEXT]   what you may do (only what has the text in it)",
    "  /more           the next page of it",
    "  /board          the board",
    "  /seats          who sits where",
    "  /rules          how to play, in short",
    "  /say TEXT       talk (also: 'TEXT)",
    "  /mute WHO       hear a seat or a name no more (/unmute: again)",
    "  /draw, /pause, /resume, /rematch   offer or accept it (/draw off: withdraw)",
    "  /resign         give up",
    "  /reclaim        take the seat back from a bot that stands in",
    "  /fill [N] [BOT] bots for all open seats, or for seat N (host)",
    "  /kick N         send seat N away (host)",
    "  /silence WHO    let nobody hear a seat or a name (host; /unsilence: again)",
    "  /start          begin as it is (host)",
    "  /device         how to play on from another device as well",
    "  /rotate         void all older tokens of yours, and cut other devices off",
    "  /quit           leave (also Ctrl-D): a running match keeps your seat",
    "  /help           this",
)


class Order(Struct, frozen=True):
    """A line that was typed: the word after the slash (empty: an action) and the rest."""

    word: str
    rest: str


def parse_order(line: str) -> Order | None:
    """Read a line; None if nothing stands in it."""
    text = line.strip()
    if not text:
        return None
    if text.startswith("'"):
        return Order("say", text[1:].strip())
    if not text.startswith("/"):
        return Order("", text)
    word, _, rest = text[1:].partition(" ")
    return Order(word.lower(), rest.strip())
