"""Ids and tokens that only the cluster's secret can make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warroom_server.session.identity import Signer, player_id

SIGNER = Signer(b"s" * 32)
ALICE = player_id(b"alice-0123")
BOB = player_id(b"bob-012345")


def test_a_player_id_is_sixteen_plain_letters_and_digits() -> None:
    assert len(ALICE) == 16
    assert ALICE.isalnum()
    assert ALICE.islower()


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
    assert SIGNER.identity_of(f"{BOB}.{signature}") is None


@given(st.text(max_size=300))
def test_no_text_that_was_not_signed_is_a_token(token: str) -> None:
    assert SIGNER.identity_of(token) is None
    assert SIGNER.seat_holder(7, token) is None


def test_the_same_wish_tries_the_same_numbers_in_the_same_order() -> None:
    tries = [SIGNER.room_number(ALICE, 5, attempt) for attempt in range(4)]
    assert tries == [SIGNER.room_number(ALICE, 5, attempt) for attempt in range(4)]
    assert len(set(tries)) == 4
    assert all(0 <= number < 2**32 for number in tries)


def test_other_wishes_try_other_numbers_under_other_nonces() -> None:
    wishes = [(ALICE, 5), (ALICE, 6), (BOB, 5)]
    assert len({SIGNER.room_number(player, ref, 0) for player, ref in wishes}) == 3
    assert len({SIGNER.create_nonce(player, ref) for player, ref in wishes}) == 3
