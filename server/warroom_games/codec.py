"""One codec for every game: canonical MessagePack of states, actions and options.

Canonical means shortest integers and sorted keys, so that equal values have equal bytes everywhere.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final

import msgspec

from warroom_games.api import AnyGame, MalformedActionError, OptionsError
from warroom_games.forms import forms_of, wanted
from warroom_games.misreadings import misreading
from warroom_games.words import seat_range
from warroom_protocol.expectations import in_words

encode: Final = msgspec.msgpack.Encoder(order="sorted").encode
"""Return a state, an action or options in canonical MessagePack."""
_decoder: Callable[[Any], msgspec.msgpack.Decoder[Any]] = cache(msgspec.msgpack.Decoder)

# A hostile action may be nested deeper than the decoder allows, or contain invalid UTF-8.
MALFORMED: Final = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)


class _Typed(msgspec.Struct):
    """The part of an action that names its type."""

    type: str


def decode_state(game: AnyGame, data: bytes) -> Any:
    """Return the state that `encode` wrote; anything else is a bug and raises msgspec's error."""
    return _decoder(game.state_type).decode(data)


def decode_action(game: AnyGame, data: bytes) -> Any:
    """Return the action in *data*, canonical or not; raise `MalformedActionError` if it is not one of this game."""
    try:
        return _decoder(game.action_type).decode(data)
    except MALFORMED as error:
        raise MalformedActionError(explain_malformed(game, data, error)) from error


def action_decoder(game: AnyGame) -> Callable[[bytes], Any]:
    """Return what decodes the actions of a game, and raises one of `MALFORMED` if they are not of this game."""
    return _decoder(game.action_type).decode


def explain_malformed(game: AnyGame, data: bytes, error: Exception) -> str:
    """Return why *data* is not an action of a game, and what was expected."""
    return f"not an action of {game.info.id}: {_wanted(game, data)}{_misread(game, data) or error}"


def _wanted(game: AnyGame, data: bytes) -> str:
    """Describe the fields of the attempted action type; empty if the type is unknown."""
    try:
        kind = _decoder(_Typed).decode(data).type
    except MALFORMED:
        return ""
    form = forms_of(game.action_type).get(kind)
    return "" if form is None else f"{kind} takes {wanted(form)}. "


def _misread(game: AnyGame, data: bytes) -> str | None:
    """Describe the wrong value in *data* and what is allowed; None if the bytes are not even an action."""
    try:
        return misreading(game.action_type, msgspec.msgpack.decode(data))
    except (*MALFORMED, TypeError):  # a map may be keyed by a map
        return None


def tag_of(action: Any) -> str:
    """Return the type of an action as the wire names it."""
    tag: str = action.__struct_config__.tag
    return tag


def decode_options(game: AnyGame, values: Mapping[str, object]) -> Any:
    """Return the game's options with defaults filled in; raise `OptionsError` for a bad value."""
    return convert_options(values, game.options_type, of=game.info.id)


def convert_options(values: Mapping[str, object], kind: Any, *, of: str) -> Any:
    """Return options as their Struct *kind*; raise a readable `OptionsError`, which says options *of* what."""
    known = _types_of_fields(kind)
    for name, value in values.items():
        if name not in known:
            raise OptionsError(f"{of} has no option {name!r} ({value!r}); allowed: {_listed(known) or 'none'}")
        try:
            msgspec.convert(value, known[name])
        except msgspec.ValidationError as error:
            allowed = allowed_values(known[name])
            raise OptionsError(f"option {name!r} of {of} cannot be {value!r}; allowed: {allowed}") from error
    try:
        return msgspec.convert(dict(values), kind)
    except msgspec.ValidationError as error:  # each value is allowed, but not in this combination
        raise OptionsError(f"options of {of}: {error}") from error


@cache
def _types_of_fields(kind: Any) -> Mapping[str, Any]:
    return {field.name: field.type for field in msgspec.structs.fields(kind)}


def load_options(game: AnyGame, data: bytes) -> Any:
    """Return the options that `encode` wrote, for example to a log; raise `OptionsError` if they are damaged."""
    try:
        values = _decoder(dict[str, object]).decode(data)
    except MALFORMED as error:
        raise OptionsError(f"invalid options of {game.info.id}: {error}") from error
    return decode_options(game, values)


def check_seats(game: AnyGame, seats: int) -> None:
    """Raise `OptionsError` if the game does not allow that many seats."""
    info = game.info
    if not info.min_seats <= seats <= info.max_seats:
        raise OptionsError(f"{info.id} is played by {seat_range(info.min_seats, info.max_seats)} seats, not {seats}")


def allowed_values(kind: Any) -> str:
    """Describe the allowed values of an options field by its JSON schema."""
    schema = msgspec.json.schema(kind)
    return in_words(schema) or ", ".join(f"{key} {value}" for key, value in schema.items() if key != "description")


def _listed(names: Iterable[object]) -> str:
    return ", ".join(sorted(map(str, names)))
