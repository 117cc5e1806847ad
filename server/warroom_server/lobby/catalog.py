"""The games as clients see them: schemas, which are slow to make and made once, and the available bots."""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from warroom_games.api import AnyGame, Calculating, Calculation
from warroom_games.log import RoomOptions
from warroom_games.registry import Registry
from warroom_games.schema_documents import schema_documents
from warroom_games.schemas import action_schema, options_schema, schema_of, view_schemas
from warroom_protocol.messages import GameList, GameListing


class Catalog:
    """The newest version of each hosted game with its bots, and the options of all rooms."""

    def __init__(self, registry: Registry) -> None:
        room_options = schema_of(RoomOptions)
        self._room_options = _packed(room_options)
        self._json_tail = b'],"room_options":' + msgspec.json.encode(room_options) + b"}\n"
        self._views = {game.info.id: view_schemas(game) for game in registry.newest()}
        self.schemas = schema_documents(registry.newest())
        """The files under `/api/schema`."""
        calculating = [game for game in registry.newest() if isinstance(game, Calculating)]
        self._calculations = {game.info.id: game.calculations for game in calculating}
        self._list(tuple(_listing(game) for game in registry.newest()))

    def list_bots(self, bots: Mapping[str, tuple[str, ...]]) -> None:
        """Set the available bots of each game."""
        self._list(tuple(replace(game, bots=bots.get(game.game, ())) for game in self.games))

    def calculation(self, game: str, name: str) -> Calculation | None:
        """Return the calculation of a game by name, or None."""
        return self._calculations.get(game, {}).get(name)

    def message(self, ref: int) -> bytes:
        """Return the encoded answer to the `games` request *ref*."""
        return msgspec.msgpack.encode((GameList.__struct_config__.tag, ref, self._games, self._room_options))

    def _list(self, games: tuple[GameListing, ...]) -> None:
        self.games = games
        parts = ({**msgspec.structs.asdict(game), "views": self._views[game.game]} for game in games)
        self.json = b'{"games":[' + b",".join(map(msgspec.json.encode, parts)) + self._json_tail
        """The catalog with field names, which the wire omits, and with the schemas of views."""
        self._games = _packed(games)


def _packed(part: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.msgpack.encode(part))


def _listing(game: AnyGame) -> GameListing:
    info = game.info
    told = {name: getattr(info, name) for name in GameListing.__struct_fields__ if hasattr(info, name)}
    return GameListing(game=info.id, options=options_schema(game), actions=action_schema(game), **told)
