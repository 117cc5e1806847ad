"""`warroom games`: list the installed games."""

import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from textwrap import wrap

import msgspec

from warroom_games.registry import RegistryError, load_games
from warroom_games.words import seat_range
from warroom_protocol.expectations import in_words
from warroom_protocol.messages import GameListing
from warroom_server.cli import USAGE
from warroom_server.lobby.catalog import Catalog

SUMMARY = "list the games with their seats, turn times and options"
EXAMPLE = "warroom games --json"

NARROWEST = 40
"""Narrower terminals wrap the lines themselves."""


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument(
        "--game", action="append", default=[], metavar="MODULE:OBJECT", help="also list this game (may be repeated)"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON list, with schemas")


def run(args: Namespace) -> int:
    """Print the games."""
    try:
        registry = load_games(args.game)
    except RegistryError as error:
        print(f"warroom games: {error}", file=sys.stderr)
        return USAGE
    for reason in registry.left_out.values():
        print(f"warroom games: skipped: {reason}", file=sys.stderr)
    games = Catalog(registry).games
    if args.json:
        named = [msgspec.structs.asdict(game) for game in games]
        print(msgspec.json.format(msgspec.json.encode(named)).decode())
    else:
        print("\n\n".join(_described(game) for game in games))
    return 0


def _described(game: GameListing) -> str:
    lines = [
        f"{game.game}: {game.name}",
        f"  {game.summary}",
        f"  {_seats(game)}, {game.turn_ms / 1000:g} s a turn, rules version {game.rules_version}",
    ]
    return "\n".join([*lines, *_options(game.options)])


def _seats(game: GameListing) -> str:
    seats = f"{seat_range(game.min_seats, game.max_seats)} seats"
    return seats if game.min_seats == game.max_seats else f"{seats} (usually {game.usual_seats})"


def _options(schema: dict[str, object]) -> list[str]:
    """Return a line per option in the JSON schema of a game's options."""
    definition = msgspec.convert(schema, _Schema)
    properties = definition.properties
    for nested in definition.definitions.values():
        properties = properties or nested.properties
    return [line for name, option in properties.items() for line in _option(name, option)]


def _option(name: str, schema: Mapping[str, object]) -> list[str]:
    """Return the purpose, allowed values and default of an option."""
    text = f"option {name} = {_literal(schema.get('default'))} ({in_words(schema)}): {schema.get('description', '')}"
    width = max(shutil.get_terminal_size().columns, NARROWEST)
    return wrap(text, width, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False)


class _Properties(msgspec.Struct):
    """The options of one Struct with their schemas."""

    properties: dict[str, dict[str, object]] = {}


class _Schema(_Properties):
    """A schema as msgspec writes it: the Struct itself is among the definitions."""

    definitions: dict[str, _Properties] = msgspec.field(name="$defs", default_factory=dict)


def _literal(value: object) -> str:
    return msgspec.json.encode(value).decode()
