"""Generate TypeScript types of the protocol and of the games' views from their Python Structs.

`./dev page` and `./dev js` run it first; a test fails if the committed files are out of date. The package gets
`messages.ts` (every message, with the tables of the codec) and one file per game (its views, events, actions and
options), the page gets `thardferr_figures.ts` (the tables of Thardferr).
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import ModuleType, NoneType
from typing import Any, get_args

import msgspec
from msgspec import NODEFAULT, Struct, inspect

from warroom_games.api import Typed
from warroom_games.registry import load_games
from warroom_games.thardferr import buildings, calculator, costs, state, strategies, technologies, treasury, units
from warroom_protocol.asyncapi import replies
from warroom_protocol.limits import MAX_CLIENT_BYTES, MAX_DEPTH, MAX_VALUES
from warroom_protocol.messages import CLIENT_MESSAGES, PARTS, SERVER_MESSAGES, Plays
from warroom_protocol.versions import SUPPORTED

CLIENTS = Path(__file__).resolve().parents[2]
PACKAGE = CLIENTS / "js" / "src" / "generated"
PAGE = CLIENTS / "web" / "src" / "generated"
HEADER = "// Written by tools/generate_types.py from the Python types; change those, then run `./dev page`.\n"
WORKERS = frozenset({"summon", "work", "claim"})
"""Messages of bot workers, which the page omits, because every screen would load their tables."""


class Writer:
    """Writes each Struct once, under its own name or a distinguishing one."""

    def __init__(self, *, views: bool) -> None:
        self._views = views
        self._names: dict[type, str] = {}
        self._texts: dict[str, str] = {}

    def texts(self) -> list[str]:
        """Return the declarations, in the order of first use."""
        return list(self._texts.values())

    def struct(self, kind: type[Struct], name: str = "") -> str:
        """Declare a Struct and return its name."""
        if kind in self._names:
            return self._names[kind]
        given = name or kind.__name__
        while given in self._texts:
            given += "Part"
        self._names[kind] = given
        self._texts[given] = ""  # reserves its place before the types that it refers to
        self._texts[given] = self._declaration(kind, given)
        return given

    def type_of(self, info: inspect.Type) -> str:
        """Return a type in TypeScript."""
        match info:
            case inspect.Metadata(type=inner):
                return self.type_of(inner)
            case inspect.StructType(cls=cls):
                return self.struct(cls)
            case inspect.UnionType(types=types):
                return " | ".join(dict.fromkeys(self.type_of(each) for each in types))
            case inspect.LiteralType(values=values):
                return " | ".join(json.dumps(value) for value in values)
            case inspect.TupleType(item_types=items):
                return f"readonly [{', '.join(self.type_of(item) for item in items)}]"
            case inspect.NamedTupleType(fields=fields):
                return f"readonly [{', '.join(f'{each.encode_name}: {self.type_of(each.type)}' for each in fields)}]"
            case inspect.CollectionType(item_type=item):
                return f"readonly {_grouped(self.type_of(item))}[]"
            case inspect.DictType(key_type=_, value_type=value):
                return f"{{ readonly [key: string]: {self.type_of(value)} }}"
            case _:
                return _PLAIN[type(info)]

    def _declaration(self, kind: type[Struct], name: str) -> str:
        info = inspect.type_info(kind)
        assert isinstance(info, inspect.StructType)
        lines = list(_comment(kind.__doc__, ""))
        lines.append(f"export interface {name} {{")
        if info.tag is not None:
            lines.append(f"  readonly type: {json.dumps(info.tag)};")
        for field in info.fields:
            # Messages of a server are always complete; those of a client may omit defaults.
            is_optional = not field.required and not self._views
            lines.append(f"  readonly {field.encode_name}{'?' if is_optional else ''}: {self.type_of(field.type)};")
        return "\n".join([*lines, "}", ""])


_PLAIN: dict[type, str] = {
    inspect.NoneType: "null",
    inspect.BoolType: "boolean",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.BytesType: "Uint8Array",
    inspect.AnyType: "View",
    inspect.RawType: "View",
    inspect.CustomType: "View",
}


def _grouped(text: str) -> str:
    return f"({text})" if " | " in text or text.startswith("readonly ") else text


def _comment(text: str | None, indent: str) -> Iterator[str]:
    lines = [line.strip() for line in (text or "").strip().splitlines()]
    paragraph = list(lines[: lines.index("")] if "" in lines else lines)
    if paragraph:
        yield f"{indent}/** {' '.join(paragraph)} */"


# --- messages -------------------------------------------------------------------------------------------------


def messages() -> str:
    """Return `messages.ts`."""
    server, client = Writer(views=True), Writer(views=False)
    from_server, from_client = _of_a_page(SERVER_MESSAGES), _of_a_page(CLIENT_MESSAGES)
    own_parts = [part for part in PARTS if part is not Plays]
    parts = [server.struct(part) for part in own_parts]
    sent = {name: server.struct(kind) for name, kind in from_server.items()}
    asked = {name: client.struct(kind, f"{kind.__name__}Request") for name, kind in from_client.items()}
    known = set(server.texts())
    own = [text for text in client.texts() if text not in known and not _declares(text, parts)]
    return "\n".join(
        [
            HEADER,
            "/** A plain value: what views, options and actions are made of. */",
            "export type View = null | boolean | number | string | readonly View[] | { readonly [key: string]: View };",
            "",
            *server.texts(),
            *own,
            _union("ServerMessage", sent.values()),
            _union("ClientMessage", asked.values()),
            _replies(server, from_client),
            _shapes("PART_SHAPES", {part.__name__: part for part in own_parts}),
            _shapes("SERVER_SHAPES", from_server),
            _shapes("CLIENT_SHAPES", from_client),
            _constant("PROTOCOL_VERSIONS", "readonly number[]", sorted(SUPPORTED)),
            _constant("RELEASE", "string", version("warroom")),
            _constant("MAX_CLIENT_BYTES", "number", MAX_CLIENT_BYTES),
            _constant("MAX_VALUES", "number", MAX_VALUES),
            _constant("MAX_DEPTH", "number", MAX_DEPTH),
        ]
    )


def _of_a_page(kinds: Mapping[str, type[Struct]]) -> dict[str, type[Struct]]:
    return {name: kind for name, kind in kinds.items() if name not in WORKERS}


def _declares(text: str, names: Iterable[str]) -> bool:
    return any(f"export interface {name} {{" in text for name in names)


def _union(name: str, members: Iterable[str]) -> str:
    return f"export type {name} =\n" + "\n".join(f"  | {member}" for member in members) + ";\n"


def _replies(server: Writer, kinds: Mapping[str, type[Struct]]) -> str:
    rows = [f"  readonly {tag}: {' | '.join(map(server.struct, replies(kind)))};" for tag, kind in kinds.items()]
    return "\n".join(
        ["/** What answers each message that is not refused. */", "export interface Replies {", *rows, "}", ""]
    )


def _shapes(name: str, kinds: "dict[str, type[Struct]] | object") -> str:
    assert hasattr(kinds, "items")
    rows = [f"  {tag}: {json.dumps(' '.join(_fields(kind)))}," for tag, kind in kinds.items()]
    comment = "/** The fields in their order; `:Part` names what a field holds (`*`: many), `=` its default. */"
    return "\n".join([comment, f"export const {name}: Readonly<Record<string, string>> = {{", *rows, "};", ""])


def _fields(kind: type[Struct]) -> Iterator[str]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        text = field.encode_name + _part(field.type)
        if field.default is not NODEFAULT:
            text += f"={msgspec.json.encode(field.default).decode()}"
        elif field.default_factory is not NODEFAULT:
            text += f"={msgspec.json.encode(field.default_factory()).decode()}"
        yield text


def _part(info: inspect.Type) -> str:
    match info:
        case inspect.StructType(cls=cls):
            return f":{cls.__name__}"
        case inspect.Metadata(type=inner):
            return _part(inner)
        case inspect.CollectionType(item_type=inspect.StructType(cls=cls)):
            return f":{cls.__name__}*"
        case inspect.UnionType(types=types):
            return next(filter(None, map(_part, types)), "")
        case _:
            return ""


# --- games ----------------------------------------------------------------------------------------------------


def game_types(game_id: str) -> str:
    """Return the file of one game: its public and private view, its events, its actions and its options."""
    game = load_games().get(game_id)
    package = type(game).__module__.rpartition(".")[0]
    writer = Writer(views=True)
    assert isinstance(game, Typed), f"{game_id} names no types of its views"
    writer.struct(game.view_type, "PublicView")
    private = _struct_in(game.private_view_type)
    if private is not None:
        writer.struct(private, "PrivateView")
    writer.struct(game.options_type, "Options")
    events = [writer.struct(kind, f"{kind.__name__}Event") for kind in _tagged(import_module(f"{package}.events"))]
    actions = Writer(views=False)
    action = actions.type_of(inspect.type_info(game.action_type))
    texts = [text for text in actions.texts() if text not in set(writer.texts())]
    return "\n".join(
        [
            HEADER,
            *writer.texts(),
            *texts,
            _union("GameEvent", events),
            f"export type Action = {action};\n",
            *(["export type PrivateView = null;\n"] if private is None else []),
        ]
    )


def index_of_games(games: Iterable[str]) -> str:
    """Return the file that names the types of every game."""
    parts = {"public": "PublicView", "private": "PrivateView", "action": "Action", "event": "GameEvent"}
    fields = {**parts, "options": "Options"}
    rows = [
        f"  readonly {game}: {{ {' '.join(f'readonly {field}: {game}.{kind};' for field, kind in fields.items())} }};"
        for game in games
    ]
    imports = [f'import type * as {game} from "./{game}.js";' for game in games]
    comment = "/** The types of the games that come with Warroom, by id. */"
    return "\n".join([HEADER, *imports, "", comment, "export interface ShippedGames {", *rows, "}", ""])


def _struct_in(kind: Any) -> type[Struct] | None:
    """Return the Struct of a type, which may be optional."""
    kinds = [each for each in get_args(kind) or (kind,) if each not in (None, NoneType)]
    return kinds[0] if kinds else None


def _tagged(module: ModuleType) -> list[type[Struct]]:
    """Return the events that a module defines."""
    return [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, Struct)
        and kind.__module__ == module.__name__
        and kind.__struct_config__.tag is not None
    ]


# --- figures ----------------------------------------------------------------------------------------------------


class Unit(Struct):
    """The stats, cost and training of a unit, as far as the page shows them."""

    name: str
    melee: int
    short: int
    range: int
    defence: int
    gold: int
    iron: int
    wood: int
    half_gold_upkeep: int
    food_upkeep: int
    trainer: units.Trainer
    centers: int


class Building(Struct):
    """The name and cost of a building; the schema of actions has its effect."""

    name: str
    gold: int
    iron: int
    wood: int


class Technology(Struct):
    """The cost of a technology per level in gold and days, and its requirements; the schema has its effect."""

    name: str
    max_level: int
    gold: int
    days: int
    after: str | None
    race: units.Race | None


def thardferr_figures() -> str:
    """Return the units, buildings, technologies, strategies and prices of Thardferr."""
    writer = Writer(views=True)
    kinds: tuple[type[Struct], ...] = (Unit, Building, Technology)
    for kind in kinds:
        writer.struct(kind)
    shown = {race: [_shown(unit, Unit) for unit in of.values()] for race, of in units.UNITS.items()}
    built = {kind: _shown(building, Building) for kind, building in buildings.BUILDINGS.items()}
    learned = [_shown(technology, Technology) for technology in technologies.TECHNOLOGIES.values()]
    by_race = "Readonly<Record<Race, {}>>".format
    return "\n".join(
        [
            HEADER,
            f"export type Race = {' | '.join(map(json.dumps, units.RACES))};\n",
            *writer.texts(),
            *map(_maker, kinds),
            _constant("RACES", "readonly Race[]", units.RACES),
            _constant("UNITS", by_race("readonly Unit[]"), shown),
            _constant("BUILDINGS", "Readonly<Record<string, Building>>", built),
            _constant("TECHNOLOGIES", "readonly Technology[]", learned),
            _constant("STRATEGIES", by_race("readonly string[]"), strategies.STRATEGIES),
            _constant("MARKET_PRICES", "Readonly<Record<string, number>>", costs.MARKET_PRICES),
            _constant("SALE_DIVISOR", "number", treasury.SALE_DIVISOR),
            _constant("LEAST_LAND", "number", state.LEAST_LAND),
            _constant("MAX_ROUNDS", "number", calculator.MAX_ROUNDS),
            _constant("BEST_WORKERS", "Readonly<Record<string, number>>", _best_workers()),
            _constant("MACHINERY_WORKERS", "number", buildings.MACHINERY_WORKERS),
        ]
    )


def _shown(figures: Struct, kind: type[Struct]) -> Struct:
    """Return the part of some figures that the page shows."""
    return msgspec.convert(figures, kind, from_attributes=True)


def _best_workers() -> dict[str, int]:
    works = (buildings.MINING, buildings.LUMBER, buildings.FARMING, buildings.FORGING)
    return {work.building: work.workers for work in works}


def _maker(kind: type[Struct]) -> str:
    """Return a function that builds a Struct from its fields in order, so that table rows need no field names."""
    name, fields = kind.__name__, kind.__struct_fields__
    given = ", ".join(f'{field}: {name}["{field}"]' for field in fields)
    return f"const {name.lower()} = ({given}): {name} => ({{ {', '.join(fields)} }});\n"


def _constant(name: str, kind: str, value: object) -> str:
    return f"export const {name}: {kind} = {_expression(value)};\n"


def _expression(value: object) -> str:
    """Return the expression of a value; Structs use the function of `_maker`."""
    match value:
        case Struct():
            return f"{type(value).__name__.lower()}({','.join(map(_expression, msgspec.structs.astuple(value)))})"
        case dict():
            return f"{{{','.join(f'{json.dumps(key)}:{_expression(each)}' for key, each in value.items())}}}"
        case list() | tuple():
            return f"[{','.join(map(_expression, value))}]"
        case _:
            return msgspec.json.encode(value).decode()


def files() -> dict[Path, str]:
    """Return every file with its expected content."""
    shipped = [game.info.id for game in load_games().newest() if type(game).__module__.startswith("warroom_games.")]
    games = {PACKAGE / "games" / f"{game}.ts": game_types(game) for game in shipped}
    return {
        PACKAGE / "messages.ts": messages(),
        PACKAGE / "games" / "index.ts": index_of_games(shipped),
        PAGE / "thardferr_figures.ts": thardferr_figures(),
        **games,
    }


def main(arguments: list[str]) -> int:
    """Write the files; with `--check` only report those that are out of date."""
    stale = [path for path, text in files().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in arguments:
        for path in stale:
            print(f"{path.name} is not what the Python types say; run `./dev page`", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files()[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
