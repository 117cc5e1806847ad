"""Checks a request for a new room."""

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from warroom_games.api import AnyGame, OptionsError
from warroom_games.codec import check_seats, convert_options, decode_options, encode
from warroom_games.log import RoomOptions
from warroom_games.registry import Registry, RegistryError
from warroom_games.rng import KEY_BYTES, Rng
from warroom_games.spectating import DelayError, check_delay
from warroom_protocol import codes
from warroom_protocol.messages import Create, Quick


class Proposal(Struct, frozen=True):
    """A valid request for a room; *options* are the game's, in canonical MessagePack."""

    game: AnyGame
    seats: int
    options: bytes
    room_options: RoomOptions
    reserved: tuple[str | None, ...] = ()
    """By place, the player for whom it is reserved."""
    bots: tuple[str | None, ...] = ()
    """By place, the bot that takes it."""
    follows: int | None = None
    """The room whose rematch this is."""


class Declined(Struct, frozen=True):
    """Why a room cannot be made; without a *detail*, the code says it all."""

    code: str
    detail: str = ""


def consider(wish: Create | Quick, registry: Registry) -> Proposal | Declined:
    """Return the requested room with defaults filled in, or why it cannot be made."""
    try:
        game = registry.get(wish.game)
    except RegistryError as error:
        return Declined(codes.GAME_UNKNOWN, str(error))
    seats = game.info.usual_seats if wish.seats is None else wish.seats
    try:
        check_seats(game, seats)
    except OptionsError as error:
        return Declined(codes.GAME_SEATS, str(error))
    try:
        options = decode_options(game, wish.options)
        # Valid options may contradict each other, which only the game can check.
        game.setup(seats, options, Rng(bytes(KEY_BYTES)))
    except OptionsError as error:
        return Declined(codes.GAME_OPTIONS, str(error))
    try:
        room_options: RoomOptions = convert_options(_told(wish, game), RoomOptions, of="a room")
    except OptionsError as error:
        return Declined(codes.ROOM_OPTIONS, str(error))
    try:
        check_delay(game.info, seats, room_options)
    except DelayError as error:
        return Declined(codes.WATCH_DELAY, str(error))
    return Proposal(game=game, seats=seats, options=encode(options), room_options=_shared(room_options))


@lru_cache(maxsize=256)  # most rooms have the options of others
def _shared(room_options: RoomOptions) -> RoomOptions:
    return room_options


def _told(wish: Create | Quick, game: AnyGame) -> Mapping[str, object]:
    """Return the options of a room; without options for spectators, those of the game or of quick matches hold."""
    if "watch" in wish.room_options or "delay" in wish.room_options:
        return wish.room_options
    if isinstance(wish, Quick):
        # Matches whose spectators see hands are not rated, so the default here is another than for other rooms.
        return {"watch": "public", **wish.room_options}
    return {"watch": game.info.watch, "delay": game.info.delay, **wish.room_options}
