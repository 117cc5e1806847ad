"""The schemas of all games compile in a strict validator, and everything that a game takes or shows fits them."""

from collections.abc import Iterator, Set
from itertools import chain
from typing import Any

import msgspec
import pytest
from ferries_game import GAME as FERRIES
from hypothesis import given
from hypothesis import strategies as st
from hypothesis_effort import fewer
from jsonschema import Draft202012Validator
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import SealedBids

from warroom_games.api import AnyGame
from warroom_games.codec import encode
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.log import RoomOptions
from warroom_games.playthrough import Playthrough
from warroom_games.registry import load_games
from warroom_games.schemas import (
    HINTS,
    action_schema,
    event_schema,
    has_hints,
    options_schema,
    schema_of,
    view_schemas,
)
from warroom_games.trials import hold_to, tables
from warroom_protocol.message_schemas import DRAFT

SHIPPED = [game for game in load_games().newest() if type(game).__module__.startswith("warroom_games.")]
GAMES = [*SHIPPED, SEALED_BIDS, FERRIES]

STATES = 30
"""States of a match that are looked at: a validator in Python is slow."""

KEYWORDS = {
    "$schema", "$ref", "$defs", "title", "description", "default", "type", "enum", "const", "anyOf", "properties",
    "required", "additionalProperties", "items", "prefixItems", "minItems", "maxItems", "minLength", "maxLength",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "propertyNames", "minProperties",
    "maxProperties",
}  # fmt: skip
"""All that a schema may use, hints in views apart. A strict validator refuses to compile what it does not know."""


def name_of(game: AnyGame) -> str:
    return game.info.id


def schemas_of(game: AnyGame) -> dict[str, Any]:
    views = {f"{name} view": schema for name, schema in view_schemas(game).items()}
    events = {"events": event_schema(game)}
    return {"actions": action_schema(game), "options": options_schema(game), **events, **views}


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield a schema and every schema inside it."""
    if not isinstance(schema, dict):
        return
    yield schema
    for keyword in ("properties", "$defs"):
        for part in schema.get(keyword, {}).values():
            yield from parts(part)
    for keyword in ("anyOf", "prefixItems"):
        for part in schema.get(keyword, ()):
            yield from parts(part)
    for keyword in ("items", "additionalProperties", "propertyNames"):
        yield from parts(schema.get(keyword))


def check(schema: Any, *, hints: Set[str] = frozenset()) -> None:
    Draft202012Validator.check_schema(schema)
    for part in parts(schema):
        assert part.keys() <= KEYWORDS | hints
        if "$ref" in part:
            assert part["$ref"].removeprefix("#/$defs/") in schema["$defs"]


def plain(value: object) -> Any:
    """Return a value as a client holds it."""
    return msgspec.msgpack.decode(encode(value))


def assert_fits(validator: Any, value: object) -> None:
    assert [error.message for error in validator.iter_errors(plain(value))] == []


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_every_schema_of_a_game_is_one_that_strict_validators_compile(game: AnyGame) -> None:
    for name, schema in schemas_of(game).items():
        check(schema, hints=HINTS if name.endswith("view") else frozenset())


def test_so_is_the_schema_of_room_options() -> None:
    schema = schema_of(RoomOptions)
    check(schema)
    validator = Draft202012Validator(schema)
    assert_fits(validator, RoomOptions())
    assert validator.is_valid({"turn_ms": 30_000})
    assert not validator.is_valid({"turn_ms": 0})
    assert not validator.is_valid({"cheat": True})


@pytest.mark.parametrize("game", SHIPPED, ids=name_of)
def test_a_shipped_game_says_what_its_views_and_events_hold(game: AnyGame) -> None:
    told = (*view_schemas(game).values(), event_schema(game))
    assert all(isinstance(schema, dict) and schema["$schema"] == DRAFT for schema in told)


@pytest.mark.parametrize("game", SHIPPED, ids=name_of)
@fewer(10)
@given(data=st.data())
def test_every_action_view_and_event_of_a_match_fits_its_schema(game: AnyGame, data: st.DataObject) -> None:
    validators = {name: Draft202012Validator(schema) for name, schema in schemas_of(game).items()}

    def fits(match: Playthrough) -> None:
        assert_fits(validators["options"], match.options)
        seen: set[bytes] = set()
        for event in chain.from_iterable(move.step.events for move in match.moves[:: len(match.moves) // STATES + 1]):
            for form in (event.public, *(form for _, form in event.private)):
                if form is not None and (data := encode(form)) not in seen:
                    seen.add(data)
                    assert_fits(validators["events"], form)
        for state in match.sample(STATES):
            assert_fits(validators["public view"], game.public(state))
            for seat in range(match.seats):
                assert_fits(validators["private view"], game.private(state, seat))
            for seat in game.to_act(state):
                for action in (*game.legal_actions(state, seat), game.default_action(state, seat)):
                    if (data := encode(action)) not in seen:
                        seen.add(data)
                        assert_fits(validators["actions"], action)

    hold_to(fits, game, data.draw(tables(game), label="table"))


def test_actions_of_several_kinds_are_alternatives_told_apart_by_their_type() -> None:
    schema = action_schema(GRAPH_BATTLE)
    assert "discriminator" not in schema
    kinds = [schema["$defs"][part["$ref"].rpartition("/")[2]] for part in schema["anyOf"]]
    assert {kind["properties"]["type"]["enum"][0] for kind in kinds} >= {"attack", "end_turn"}
    assert not Draft202012Validator(schema).is_valid({"type": "conquer"})


def test_a_form_can_be_made_from_the_schema_of_options() -> None:
    options = options_schema(GRAPH_BATTLE)["$defs"]["Options"]["properties"]
    assert options["max_rounds"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 300,
        "default": 100,
        "description": "round limit; most nodes win",
    }


def test_a_property_may_be_called_like_a_keyword() -> None:
    class Odd(msgspec.Struct):
        discriminator: int
        default: int = 1

    class Odds(SealedBids):
        view_type = Odd

    integer = {"type": "integer"}
    properties = {"discriminator": integer, "default": {**integer, "default": 1}}
    assert schema_of(Odd)["$defs"]["Odd"]["properties"] == properties
    public = view_schemas(Odds())["public"]
    assert isinstance(public, dict)
    assert public["$defs"]["Odd"]["properties"] == {"discriminator": integer, "default": integer}


def test_a_view_has_all_fields_and_options_may_be_left_out() -> None:
    assert options_schema(FERRIES)["$defs"]["Options"]["required"] == []
    public = view_schemas(FERRIES)["public"]
    assert isinstance(public, dict)
    assert public["$defs"]["State"]["required"] == ["fare", "islands", "routes", "places", "left"]


def test_a_tuple_is_as_long_as_it_says() -> None:
    schema = schema_of(tuple[int, str])
    assert "items" not in schema
    validator = Draft202012Validator(schema)
    assert [validator.is_valid(value) for value in ([1], [1, "a"], [1, "a", 2])] == [False, True, False]


def test_anything_fits_where_a_game_names_no_types() -> None:
    assert view_schemas(SEALED_BIDS) == {"public": True, "private": True}
    assert event_schema(SEALED_BIDS) is True


def test_only_a_schema_with_hints_is_one_to_draw_by() -> None:
    ferries, plain_views = view_schemas(FERRIES), view_schemas(GRAPH_BATTLE)
    assert has_hints(ferries["public"])
    assert not has_hints(plain_views["public"])
