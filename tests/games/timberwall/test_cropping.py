"""The part of a large board that a small window shows."""

import re
from functools import cache
from typing import Literal

import pytest

from warroom_games.api import Cropping
from warroom_games.playthrough import play
from warroom_games.rng import KEY_BYTES
from warroom_games.timberwall.cropping import crop
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.rules import GAME
from warroom_protocol.canonical import plain

ROWS, COLUMNS = 19, 80
"""What `warroom play` has for a board in a window of 24 rows."""

SHOWN = re.compile(r"columns (\d+)-(\d+) and rows (\d+)-(\d+) of a board of (\d+) by \5")


@cache
def pictures(size: Literal[10, 20, 30]) -> list[list[str]]:
    """Return what a seat sees at many moments of a match."""
    match = play(GAME, 2, Options(size=size, max_turns=30), bytes(KEY_BYTES))
    return [
        GAME.draw_for(plain(GAME.public(state)), plain(GAME.private(state, seat)), ("Ada", "Bob")).splitlines()
        for state in match.sample(12)
        for seat in (0, 1)
    ]


def units_of(lines: list[str]) -> list[tuple[int, int]]:
    return [(int(x), int(y)) for line in lines if " units: " in line for x, y in re.findall(r"\((\d+), (\d+)\)", line)]


@pytest.mark.parametrize("size", [20, 30])
def test_what_is_cut_fits_and_shows_units(size: Literal[20, 30]) -> None:
    for picture in pictures(size):
        part = crop(picture, ROWS, COLUMNS)
        assert len(part) <= ROWS
        assert max(map(len, part)) <= COLUMNS
        shown = SHOWN.fullmatch(part[-1])
        assert shown is not None
        left, right, top, bottom, told = map(int, shown.groups())
        assert told == size
        units = units_of(picture)
        inside = [(x, y) for x, y in units if left <= x <= right and top <= y <= bottom]
        assert inside or not units
        board = part[2 : 3 + bottom - top]
        assert sum(len(re.findall(r"[GRgr]\d", line)) for line in board) == len(inside)


def test_rows_and_columns_are_numbered_and_tiles_are_those_of_the_whole_board() -> None:
    picture = pictures(30)[0]
    part = crop(picture, ROWS, COLUMNS)
    columns = [int(number) for number in part[1].removeprefix("y\\x").split()]
    assert columns == list(range(columns[0], columns[-1] + 1))
    assert [int(line[:2]) for line in part[2 : ROWS - 3]] == list(range(int(part[2][:2]), int(part[2][:2]) + ROWS - 5))
    for line in part[2 : ROWS - 3]:
        whole = picture[2 + int(line[:2])].ljust(2 + 4 * 30)
        assert line[2:] == whole[2 + 4 * columns[0] : 2 + 4 * (columns[-1] + 1)].rstrip()


@pytest.mark.parametrize("rows", [ROWS, 30])
def test_all_20_columns_fit_80_letters(rows: int) -> None:
    picture = pictures(20)[0]
    part = crop(picture, rows, COLUMNS)
    assert part[1] == picture[1]
    assert part[-1].startswith("columns 0-19 and rows ")
    assert set(part[:-1]) <= set(picture)


def test_a_board_that_fits_is_left_alone_as_is_what_cannot_be_told_in_so_few_rows() -> None:
    small, large = pictures(10)[0], pictures(20)[0]
    assert crop(small, 5, COLUMNS) == small
    assert crop(large, 7, COLUMNS) == crop(large, ROWS, 15) == large
    assert crop([], ROWS, COLUMNS) == []


def test_without_units_a_base_is_shown() -> None:
    tiles = [f"{y:>2}{' ?  ' * 20}".rstrip() for y in range(20)]
    tiles[18] = f"18{' ?  ' * 17} ? │_⌂R│?"
    picture = ["1/600  green", "y\\x" + "".join(f"{x:<4}" for x in range(20)).rstrip(), *tiles]
    assert any("⌂R" in line for line in crop(picture, 12, 60))


def test_the_game_offers_it() -> None:
    assert isinstance(GAME, Cropping)
    picture = pictures(20)[0]
    assert GAME.crop(picture, ROWS, COLUMNS) == crop(picture, ROWS, COLUMNS)
