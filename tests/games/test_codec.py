"""The codec: canonical bytes, and errors that name the value and what is allowed."""

from typing import Annotated, Literal, cast

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sealed_bids import GAME as BIDS
from sealed_bids import Bid, Options, Peek

from warroom_games.api import AnyGame, MalformedActionError, OptionsError
from warroom_games.codec import (
    check_seats,
    decode_action,
    decode_options,
    decode_state,
    encode,
    load_options,
)
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.rng import KEY_BYTES, Rng
from warroom_games.strata.rules import GAME as STRATA


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """Options of every kind."""

    pace: Annotated[Literal["slow", "fast"], msgspec.Meta(description="how fast")] = "slow"
    open: Annotated[bool, msgspec.Meta(description="whether open")] = False
    length: Annotated[int, msgspec.Meta(ge=1, le=9, description="how long")] = 3
    title: Annotated[str, msgspec.Meta(max_length=4, description="what it is called")] = ""


class Chooser:
    """As much of a game as its options need."""

    info = BIDS.info
    options_type = Choices


CHOOSER = cast(AnyGame, Chooser())


class TestBytes:
    def test_equal_values_are_equal_bytes(self) -> None:
        assert encode({"b": 1, "a": 2}) == encode({"a": 2, "b": 1}) == msgpack.packb({"a": 2, "b": 1})

    def test_states_come_back(self) -> None:
        state = BIDS.setup(3, Options(), Rng(bytes(KEY_BYTES)))
        assert decode_state(BIDS, encode(state)) == state

    @pytest.mark.parametrize("action", [Bid(3), Peek()])
    def test_actions_come_back(self, action: Bid | Peek) -> None:
        assert decode_action(BIDS, encode(action)) == action

    def test_an_action_may_come_in_any_order_of_keys(self) -> None:
        assert decode_action(BIDS, msgpack.packb({"type": "bid", "card": 3})) == Bid(3)
        assert decode_action(BIDS, msgpack.packb({"card": 3, "type": "bid"})) == Bid(3)


class TestMalformedActions:
    @pytest.mark.parametrize(
        "data",
        [
            pytest.param(b"", id="nothing"),
            pytest.param(msgpack.packb({"type": "bid", "card": 3})[:-1], id="cut off"),
            pytest.param(msgpack.packb({"type": "bid", "card": 3}) + b"\x00", id="something after it"),
            pytest.param(msgpack.packb({"type": "bid"}), id="a field is missing"),
            pytest.param(msgpack.packb({"type": "bid", "card": 3, "more": 1}), id="an unknown field"),
            pytest.param(msgpack.packb({"type": "bid", "card": 3.0}), id="a float"),
            pytest.param(msgpack.packb({"type": "bid", "card": True}), id="a bool"),
            pytest.param(msgpack.packb({"type": "bid", "card": 0}), id="out of range"),
            pytest.param(msgpack.packb({"type": "steal"}), id="an unknown type"),
            pytest.param(msgpack.packb({b"type": b"bid"}), id="bytes for text"),
            pytest.param(b"\x82\xa4type\xa3b\xffd\xa4card\x03", id="no UTF-8"),
            pytest.param(b"\x82\xa4card" + b"\x91" * 100_000, id="endless nesting"),
            pytest.param(b"\x82\xa1x" + b"\x91" * 4000 + b"\x00\xa4type\xa3bid", id="deep nesting before the type"),
        ],
    )
    def test_what_is_no_action_is_malformed(self, data: bytes) -> None:
        with pytest.raises(MalformedActionError, match="not an action of sealed_bids"):
            decode_action(BIDS, data)

    @pytest.mark.parametrize(
        ("action", "wants"),
        [
            ({"type": "bid"}, "bid takes card"),
            ({"type": "bid", "card": "x"}, "bid takes card"),
            ({"type": "peek", "at": 1}, "peek takes nothing more"),
        ],
    )
    def test_what_is_half_an_action_is_told_what_it_wants(self, action: object, wants: str) -> None:
        with pytest.raises(MalformedActionError, match=f"not an action of sealed_bids: {wants}. "):
            decode_action(BIDS, msgpack.packb(action))

    @given(data=st.binary(max_size=60))
    def test_so_are_bytes_that_happen_to_come(self, data: bytes) -> None:
        """An action has two fields at most, and no bytes after it."""
        with pytest.raises(MalformedActionError, match="not an action of sealed_bids"):
            decode_action(BIDS, b"\x83" + data)

    @pytest.mark.parametrize(
        ("game", "value", "says"),
        [
            pytest.param(BIDS, {"type": "steal"}, "unknown type 'steal'; allowed: bid, peek", id="a type"),
            pytest.param(BIDS, {"card": 3}, "unknown type None; allowed: bid, peek", id="no type"),
            pytest.param(BIDS, {"type": [1]}, "unknown type [1]; allowed: bid, peek", id="a list for a type"),
            pytest.param(
                BIDS,
                {"type": "bid", "card": 21},
                "card of bid cannot be 21; allowed: whole numbers from 1 to 20",
                id="a number",
            ),
            pytest.param(
                BIDS,
                {"type": "bid", "card": "x" * 200},
                f"card of bid cannot be '{'x' * 59}...; allowed: whole numbers from 1 to 20",
                id="a long text",
            ),
            pytest.param(
                GRAPH_BATTLE,
                {"type": "end_turn", "capital": -1},
                "capital of end_turn cannot be -1; allowed: whole numbers from 0 to 1023 or null",
                id="a number or nothing",
            ),
            pytest.param(BIDS, {"type": "bid"}, "Object missing required field `card`", id="a field that is missing"),
            pytest.param(STRATA, {"type": "place", "vertex": 7}, "Expected `array`, got `int`", id="no words for it"),
        ],
    )
    def test_a_bad_action_names_the_value_and_what_is_allowed(
        self, game: AnyGame, value: dict[str, object], says: str
    ) -> None:
        with pytest.raises(MalformedActionError) as refused:
            decode_action(game, encode(value))
        assert str(refused.value).startswith(f"not an action of {game.info.id}: ")
        assert says in str(refused.value)

    def test_a_map_keyed_by_a_map_is_malformed(self) -> None:
        with pytest.raises(MalformedActionError, match="not an action of sealed_bids"):
            decode_action(BIDS, b"\x81\x80\x01")


class TestOptions:
    def test_defaults_fill_what_is_not_said(self) -> None:
        assert decode_options(BIDS, {"rounds": 2}) == Options(rounds=2)

    def test_options_come_back_from_a_log(self) -> None:
        assert load_options(BIDS, encode(Options(rounds=2))) == Options(rounds=2)

    @pytest.mark.parametrize(
        ("values", "says"),
        [
            pytest.param({"pacee": 1}, "no option 'pacee' (1); allowed: length, open, pace, title", id="unknown"),
            pytest.param({"pace": "mid"}, "'pace' of sealed_bids cannot be 'mid'; allowed: fast, slow", id="one of"),
            pytest.param({"open": 1}, "cannot be 1; allowed: true, false", id="bool"),
            pytest.param({"length": 10}, "cannot be 10; allowed: whole numbers from 1 to 9", id="range"),
            pytest.param({"length": "3"}, "cannot be '3'; allowed: whole numbers from 1 to 9", id="type"),
            pytest.param({"title": "chess"}, "cannot be 'chess'; allowed: text of at most 4 characters", id="too long"),
        ],
    )
    def test_a_bad_option_names_the_value_and_what_is_allowed(self, values: dict[str, object], says: str) -> None:
        with pytest.raises(OptionsError) as refused:
            decode_options(CHOOSER, values)
        assert says in str(refused.value)

    def test_options_that_do_not_go_together_are_for_the_game_to_refuse(self) -> None:
        options = decode_options(BIDS, {"rounds": 9, "cards": 8})
        with pytest.raises(OptionsError, match=r"at least rounds \(9\), got 8"):
            BIDS.setup(2, options, Rng(bytes(KEY_BYTES)))

    @pytest.mark.parametrize("seats", [1, 5])
    def test_a_table_too_small_or_too_large_is_refused(self, seats: int) -> None:
        with pytest.raises(OptionsError, match=f"sealed_bids is played by 2 to 4 seats, not {seats}"):
            check_seats(BIDS, seats)

    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_other_tables_are_not(self, seats: int) -> None:
        assert BIDS.setup(seats, Options(), Rng(bytes(KEY_BYTES))).table.scores == (0,) * seats
