"""How a result is shown and rated where players left their seats to bots."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warroom_protocol import codes
from warroom_protocol.results import ENDINGS, ending_in_words, rated_ranks, standings


@pytest.mark.parametrize(
    ("ranks", "left", "rated"),
    [
        pytest.param((1, 2), (), (1, 2), id="all stayed"),
        pytest.param((1, 2), (0,), (2, 1), id="a bot won"),
        pytest.param((1, 2), (1,), (1, 2), id="a bot lost"),
        pytest.param((1, 2, 3), (0,), (3, 1, 2), id="the others keep their order"),
        pytest.param((1, 2, 3), (0, 1), (2, 2, 1), id="those who left share a rank"),
        pytest.param((1, 1, 1, 4), (1,), (1, 4, 1, 3), id="those who stayed may be tied"),
        pytest.param((3, 2, 1), (0, 1, 2), (1, 1, 1), id="all left"),
        pytest.param((), (), (), id="a void match"),
    ],
)
def test_for_ratings_those_who_left_are_behind_everyone_who_stayed(
    ranks: tuple[int, ...], left: tuple[int, ...], rated: tuple[int, ...]
) -> None:
    assert rated_ranks(ranks, left) == rated


def test_a_result_shows_those_who_left_last_with_the_ranks_of_the_game() -> None:
    shown = [(each.rank, each.seat, each.note) for each in standings((1, 3, 2), (0,))]
    assert shown == [(2, 2, ""), (3, 1, ""), (1, 0, " (left)")]


@given(st.lists(st.integers(1, 5), max_size=8), st.sets(st.integers(0, 7)))
def test_rated_ranks_are_a_ranking_in_which_nobody_who_left_is_before_anybody_who_stayed(
    scores: list[int], away: set[int]
) -> None:
    ranks = tuple(1 + sum(other < score for other in scores) for score in scores)
    left = tuple(seat for seat in sorted(away) if seat < len(ranks))
    rated = rated_ranks(ranks, left)
    assert all(rank == 1 + sum(other < rank for other in rated) for rank in rated)
    stayed = [seat for seat in range(len(ranks)) if seat not in left]
    assert all(rated[seat] < rated[gone] for seat in stayed for gone in left)
    assert [ranks[seat] <= ranks[other] for seat in stayed for other in stayed] == [
        rated[seat] <= rated[other] for seat in stayed for other in stayed
    ]


def test_every_reason_of_an_ending_has_words_and_a_reason_of_a_game_stays_as_it_is() -> None:
    assert set(ENDINGS) == set(codes.ENDINGS)
    assert ending_in_words(codes.END_CAP) == "length limit reached"
    assert ending_in_words("forests") == "forests"


def test_the_page_says_why_a_match_ended_in_the_same_words() -> None:
    page = Path(__file__).resolve().parents[2] / "clients" / "web" / "src"
    words = (page / "room" / "result_text.ts").read_text() + (page / "boards" / "text_case.ts").read_text()
    said = {text.rstrip(".").lower() for text in re.findall(r'["`]([^"`\n]*)["`]', words)}
    assert set(ENDINGS.values()) - {"victory"} <= said
