"""Tables of docs/PROTOCOL_REFERENCE.md about rooms and replays: options, log entries, a replay, `/verify`."""

from collections.abc import Iterable
from inspect import cleandoc
from typing import get_args

import msgspec
from sealed_bids import GAME, Options

from warroom_games.codec import allowed_values, encode
from warroom_games.log import Entry, Opened, RoomOptions, Sat, Voided, encode_entry
from warroom_games.match import Match
from warroom_games.replay import Link, seal

_PLAYER = "ubr6c4hon62ikwlx"
_OPENED = Opened(
    room=2_718_281_828,
    game=GAME.info.id,
    rules_version=GAME.info.rules_version,
    seats=2,
    options=encode(Options()),
    room_options=RoomOptions(),
    creator=_PLAYER,
    ref=7_015_338_841_250_961,
    seed=bytes(range(16)),
    opened_ms=1_800_000_000_000,
)
_LATER: tuple[Sat | Voided, ...] = (Sat(0, _PLAYER, "Ada"), Voided(600_000, "deserted"))

_WIDTH = 32
_NULLS = {"turn_ms": "null: that of the game", "fill_after_ms": "null: for ever"}

VERIFY = {
    "accepted": "true: the match holds",
    "room": "the room's code",
    "game": "the game's id",
    "rules_version": "the version of the rules",
    "players": "the players' names by seat; null: nobody",
    "steps": "how many steps the match had after its start",
    "ranks": "the rank of each seat, as in `ended`",
    "reason": "why it ended, as in `ended`",
    "left": "the seats that bots held at the end, as in `ended`",
    "seed": "the seed, in hex",
    "commitment": "the SHA-256 of the seed, in hex, as in `about`",
    "chain": "the last link of the chain, in hex, as in `ended`",
    "states": "the SHA-256, in hex, of the state after each entry; an empty text where the chain does not cover it",
}
"""The keys of a positive answer of `/api/replays/CODE/verify`."""


def room_option_rows() -> Iterable[tuple[str, str, str, str]]:
    """Yield each option of rooms: its name, what it may be, its default and what it is for."""
    properties = msgspec.json.schema(RoomOptions)["$defs"]["RoomOptions"]["properties"]
    for field in msgspec.structs.fields(RoomOptions):
        schema = properties[field.name]
        about = schema.get("description") or schema["anyOf"][0]["description"]
        default = _NULLS[field.name] if field.default is None else f"`{msgspec.json.encode(field.default).decode()}`"
        yield f"`{field.name}`", allowed_values(field.type), default, about


def entry_rows() -> Iterable[tuple[str, str, str]]:
    """Yield each kind of entry: its name, its fields in order and what it tells."""
    for kind in get_args(Entry):
        fields = ", ".join(f"`{name}`" for name in kind.__struct_fields__)
        yield f"`{kind.__struct_config__.tag}`", fields, cleandoc(kind.__doc__).splitlines()[0]


def verify_rows() -> Iterable[tuple[str, str]]:
    """Yield each key of the answer of `/verify`, and what it means."""
    yield from ((f"`{key}`", meaning) for key, meaning in VERIFY.items())


def replay_links() -> list[Link]:
    """Return the log of a small room that ended before its match began, entry by entry."""
    match = Match.open(_OPENED, GAME)
    links = [Link(encode_entry(_OPENED), match.chain)]
    for entry in _LATER:
        match = match.advance(entry).match
        links.append(Link(encode_entry(entry), match.chain))
    return links


def replay_block() -> str:
    """Return the entries of a small room with the chain after each, and the whole replay."""
    links = replay_links()
    parts = [
        f"Entry {number}, and the chain after it:\n```hex\n{_hex(link.entry)}\n```\n```hex\n{_hex(link.chain)}\n```\n"
        for number, link in enumerate(links, start=1)
    ]
    return "\n".join([*parts, f"The whole file:\n```hex\n{_hex(seal(links))}\n```\n"])


def _hex(data: bytes) -> str:
    return "\n".join(data[start : start + _WIDTH].hex(" ") for start in range(0, len(data), _WIDTH))
