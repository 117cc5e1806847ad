"""What stays of the names that people choose."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warroom_protocol.names import MAX_LENGTH, MAX_LINE, clean_line, clean_name


@pytest.mark.parametrize(
    ("wish", "shown"),
    [
        pytest.param("Ada", "Ada", id="a plain name"),
        pytest.param("  Ada \t  Lovelace\n", "Ada Lovelace", id="white space becomes single spaces"),
        pytest.param("A\x00d\x1ba", "Ada", id="control characters go"),
        pytest.param("\u202eadA\u2066", "adA", id="characters that turn the writing go"),
        pytest.param("A\u200bd\ufeffa", "Ada", id="invisible characters go"),
        pytest.param("A\u3164d\u2800a\ufe0f", "Ada", id="letters, symbols and marks that show nothing go"),
        pytest.param("A\ue000\U000f0000da", "Ada", id="private characters go"),
        pytest.param("A\ud800da", "Ada", id="half characters go"),
        pytest.param("Jose\u0301", "José", id="the form is composed"),
        pytest.param("x\u0336\u0336\u0336\u0336\u0336y", "x\u0336\u0336y", id="marks do not pile up"),
        pytest.param("n" * 60, "n" * MAX_LENGTH, id="long names are cut"),
        pytest.param("n" * 23 + " tail", "n" * 23, id="a cut leaves no blank at the end"),
        pytest.param("\u2028Ada\u2029", "Ada", id="line separators are white space"),
        pytest.param("دانا 愛 🦊", "دانا 愛 🦊", id="every script is welcome"),
        pytest.param("", "Player", id="no name at all"),
        pytest.param("\u200b\u202e ", "Player", id="nothing visible"),
        pytest.param("\u0301\u0301", "Player", id="marks on nothing"),
        pytest.param("\u3164\uffa0\u2800", "Player", id="nothing but blanks"),
    ],
)
def test_a_name_is_cleaned(wish: str, shown: str) -> None:
    assert clean_name(wish, fallback="Player") == shown


@given(st.text(max_size=64))
def test_a_cleaned_name_is_short_visible_and_stays_as_it_is(wish: str) -> None:
    name = clean_name(wish, fallback="Player")
    assert 0 < len(name) <= MAX_LENGTH
    assert name == name.strip()
    assert not any(unicodedata.category(character).startswith("C") for character in name)
    assert clean_name(name, fallback="Player") == name


def test_a_line_is_cleaned_like_a_name_and_may_be_longer() -> None:
    assert clean_line(" well\u202e \n\tplayed\x07 ") == "well played"
    assert len(clean_line("x" * 500)) == MAX_LINE
    assert clean_line("\u200b\u0301") == ""
