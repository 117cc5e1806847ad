"""Room codes: short enough to read out, and forgiving when typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warroom_protocol import codes
from warroom_protocol.errors import RoomCodeError
from warroom_protocol.rooms import parse_room_code, room_code

numbers = st.integers(0, 2**32 - 1)


@given(numbers)
def test_a_code_leads_back_to_its_number(number: int) -> None:
    code = room_code(number)
    assert len(code) == 7
    assert parse_room_code(code) == number


@given(numbers)
def test_case_blanks_and_look_alikes_do_not_matter(number: int) -> None:
    code = room_code(number)
    assert parse_room_code(f" {code.upper()}\n") == number
    for typed in (code.replace("1", "l").replace("0", "o"), code.replace("1", "I").replace("0", "O")):
        assert parse_room_code(typed) == number


@pytest.mark.parametrize(("number", "code"), [(0, "0000000"), (31, "000000z"), (32, "0000010"), (2**32 - 1, "3zzzzzz")])
def test_codes_are_crockfords_base_32(number: int, code: str) -> None:
    assert room_code(number) == code


@pytest.mark.parametrize(
    "text", ["", "000000", "00000000", "000000u", "000000-", "4000000", "zzzzzzz", "\uff10000000", "a" * 999]
)
def test_what_is_no_code_is_refused(text: str) -> None:
    with pytest.raises(RoomCodeError) as refusal:
        parse_room_code(text)
    assert refusal.value.code == codes.ROOM_UNKNOWN
    assert len(refusal.value.detail) < 100


@pytest.mark.parametrize("number", [-1, 2**32])
def test_a_number_that_no_room_can_have_has_no_code(number: int) -> None:
    with pytest.raises(ValueError, match="a room number is from 0 to 4294967295"):
        room_code(number)
