"""The games as clients see them, made and encoded once: schemas are slow to make and never change."""

import msgspec

from warroom_games.api import AnyGame
from warroom_games.codec import action_schema, options_schema
from warroom_games.log import RoomOptions
from warroom_games.registry import Registry
from warroom_protocol.messages import GameList, GameListing


class Catalogue:
    """The newest version of each hosted game, and the options that every room has."""

    def __init__(self, registry: Registry) -> None:
        self.games = tuple(_listing(game) for game in registry.newest())
        self.json = msgspec.json.encode([msgspec.structs.asdict(game) for game in self.games]) + b"\n"
        """The games with the names of their fields, which the wire leaves out."""
        self._packed = [
            msgspec.Raw(msgspec.msgpack.encode(part)) for part in (self.games, msgspec.json.schema(RoomOptions))
        ]

    def message(self, ref: int) -> bytes:
        """Return the encoded answer to the `games` request *ref*."""
        return msgspec.msgpack.encode((GameList.__struct_config__.tag, ref, *self._packed))


def _listing(game: AnyGame) -> GameListing:
    info = game.info
    return GameListing(
        game=info.id,
        name=info.name,
        summary=info.summary,
        rules_version=info.rules_version,
        min_seats=info.min_seats,
        max_seats=info.max_seats,
        usual_seats=info.usual_seats,
        turn_ms=info.turn_ms,
        complete=info.complete,
        options=options_schema(game),
        actions=action_schema(game),
        has_draws=info.has_draws,
    )
