"""Codes: stable names with a meaning each."""

import re

import pytest

from warroom_protocol import codes

DOTTED = re.compile(r"[a-z]+(_[a-z]+)*(\.[a-z]+(_[a-z]+)*)?")


@pytest.mark.parametrize("table", [codes.REFUSALS, codes.NOTICES, codes.RESYNCS, codes.PAUSES, codes.ENDINGS])
def test_codes_are_lower_case_dotted_names_with_a_meaning(table: dict[str, str]) -> None:
    for code, meaning in table.items():
        assert DOTTED.fullmatch(code), code
        assert meaning
        assert len(code) <= 64


def test_every_constant_is_in_a_table() -> None:
    tables = (codes.REFUSALS, codes.NOTICES, codes.RESYNCS, codes.PAUSES, codes.ENDINGS, codes.CLOSES)
    listed = {code for table in tables for code in table}
    constants = {value for name, value in vars(codes).items() if name.isupper() and isinstance(value, str | int)}
    assert constants == listed


def test_close_codes_are_standard_ones_or_private() -> None:
    assert all(1000 <= code <= 1014 or 4000 <= code <= 4999 for code in codes.CLOSES)


def test_a_close_reason_fits_its_frame() -> None:
    assert all(len(meaning.encode()) <= 123 for meaning in codes.CLOSES.values())


def test_the_first_parts_of_the_servers_codes_are_reserved() -> None:
    assert {"act", "room", "seat", "message"} <= codes.RESERVED
    assert "bid" not in codes.RESERVED
