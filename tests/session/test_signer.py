"""Ids and tokens that only the cluster's secret can make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warroom_server.session.signer import Identity, Signer, player_id

SIGNER = Signer(b"s" * 32)
ALICE = Identity(player_id(b"alice-0123"), 3)
BOB = Identity(player_id(b"bob-012345"))


def test_a_player_id_is_sixteen_plain_letters_and_digits() -> None:
    assert len(ALICE.player) == 16
    assert ALICE.player.isalnum()
    assert ALICE.player.islower()


def test_a_player_id_needs_enough_entropy() -> None:
    with pytest.raises(ValueError, match="10 bytes, got 3"):
        player_id(b"abc")


def test_an_identity_token_names_its_player() -> None:
    assert SIGNER.identity_of(SIGNER.identity_token(ALICE)) == ALICE


def test_a_seat_token_names_its_player_in_its_room_only() -> None:
    token = SIGNER.seat_token(7, ALICE)
    assert SIGNER.seat_holder(7, token) == ALICE
    assert SIGNER.seat_holder(8, token) is None


def test_one_kind_of_token_does_not_pass_for_another() -> None:
    assert SIGNER.identity_of(SIGNER.seat_token(7, ALICE)) is None
    assert SIGNER.seat_holder(7, SIGNER.identity_token(ALICE)) is None


def test_a_token_of_another_cluster_is_nobodys() -> None:
    assert Signer(b"t" * 32).identity_of(SIGNER.identity_token(ALICE)) is None


def test_a_signature_does_not_fit_another_name() -> None:
    signature = SIGNER.identity_token(ALICE).partition(".")[2]
    assert SIGNER.identity_of(f"{BOB.player}.{signature}") is None


@given(st.text(max_size=300))
def test_no_text_that_was_not_signed_is_a_token(token: str) -> None:
    assert SIGNER.identity_of(token) is None
    assert SIGNER.seat_holder(7, token) is None


def test_the_same_wish_tries_the_same_numbers_in_the_same_order() -> None:
    tries = [SIGNER.room_number(ALICE.player, 5, attempt) for attempt in range(4)]
    assert tries == [SIGNER.room_number(ALICE.player, 5, attempt) for attempt in range(4)]
    assert len(set(tries)) == 4
    assert all(0 <= number < 2**32 for number in tries)


def test_other_wishes_try_other_numbers_under_other_nonces() -> None:
    wishes = [(ALICE.player, 5), (ALICE.player, 6), (BOB.player, 5)]
    assert len({SIGNER.room_number(player, ref, 0) for player, ref in wishes}) == 3
    assert len({SIGNER.create_nonce(player, ref) for player, ref in wishes}) == 3


def test_a_token_of_one_generation_is_none_of_another() -> None:
    player, _, mac = SIGNER.identity_token(ALICE).split(".")
    assert SIGNER.identity_of(f"{player}.3.{mac}") == ALICE
    assert SIGNER.identity_of(f"{player}.4.{mac}") is None
    assert SIGNER.identity_of(f"{player}.03.{mac}") is None


@pytest.mark.parametrize("generation", ["", "-1", "x", "9" * 16, "\u0663"])
def test_a_generation_that_is_no_number_is_nobodys(generation: str) -> None:
    assert SIGNER.identity_of(f"{ALICE.player}.{generation}.abc") is None


def test_the_key_of_a_room_opens_no_other_room() -> None:
    key = SIGNER.room_key(7)
    assert SIGNER.is_room_key(7, key.upper())
    assert not SIGNER.is_room_key(8, key)
    assert not SIGNER.is_room_key(7, None)


def test_the_operator_may_choose_the_key_of_bot_workers() -> None:
    assert SIGNER.is_bot_key(SIGNER.bot_key())
    assert not SIGNER.is_bot_key("letmein")
    assert Signer(b"s" * 32, bot_key="letmein").is_bot_key("letmein")
