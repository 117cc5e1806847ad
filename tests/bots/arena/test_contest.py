"""Which bot sits where: every bot has every seat equally often, on equal seeds."""

from collections import Counter

import pytest
from contests import contest

from warroom_bots.arena.contest import ContestError, contestants, difference

NAMES = "abcdefg"


@pytest.mark.parametrize(
    ("bots", "seats", "cycle"),
    [
        pytest.param(2, 2, 2, id="a duel"),
        pytest.param(4, 4, 4, id="a bot per seat"),
        pytest.param(3, 2, 6, id="more bots than seats"),
        pytest.param(5, 3, 30, id="many more bots"),
        pytest.param(2, 5, 2, id="two bots on five seats"),
        pytest.param(3, 4, 3, id="a seat too many"),
    ],
)
def test_every_bot_has_every_seat_equally_often(bots: int, seats: int, cycle: int) -> None:
    settings = contest(*NAMES[:bots], seats=seats)
    assert settings.cycle == cycle
    for start in range(0, 3 * cycle, cycle):
        pairings = [settings.pairing(number) for number in range(start, start + cycle)]
        counts = Counter((bot, seat) for pairing in pairings for seat, bot in enumerate(pairing.bots))
        assert len(counts) == bots * seats
        assert len(set(counts.values())) == 1
        assert {pairing.seed for pairing in pairings} == {f"1 {start // cycle}"}


def test_a_block_has_the_same_bots_on_the_same_seed_in_other_seats() -> None:
    settings = contest("a", "b", "c", "d", seats=3)
    for block in range(8):
        pairings = [settings.pairing(3 * block + rotation) for rotation in range(3)]
        assert {pairing.block for pairing in pairings} == {block}
        assert len({frozenset(pairing.bots) for pairing in pairings}) == 1
        assert len({pairing.seed for pairing in pairings}) == 1
        for seat in range(3):
            assert len({pairing.bots[seat] for pairing in pairings}) == 3


def test_every_pair_meets_equally_often() -> None:
    settings = contest("a", "b", "c", "d")
    met = Counter(frozenset(settings.pairing(number).bots) for number in range(settings.cycle))
    assert len(met) == 6
    assert set(met.values()) == {2}


def test_neighbours_change_from_seed_to_seed() -> None:
    settings = contest("a", "b", "c", "d", seats=4)
    after_a = {bots[(bots.index(0) + 1) % 4] for bots in (settings.pairing(4 * cycle).bots for cycle in range(20))}
    assert after_a == {1, 2, 3}


def test_match_n_is_the_same_in_every_run_and_another_with_another_seed() -> None:
    first, second, other = contest("a", "b", "c"), contest("a", "b", "c"), contest("a", "b", "c", seed="2")
    numbers = range(24)
    assert [first.pairing(number) for number in numbers] == [second.pairing(number) for number in numbers]
    assert [first.pairing(number).bots for number in numbers] != [other.pairing(number).bots for number in numbers]


def test_bots_are_named_by_their_name_or_else_by_their_reference() -> None:
    named = contestants(["greedy", "old/bot.py", "new/mine.py", "greedy"], ["greedy", "mine", "mine", "greedy"])
    assert [bot.name for bot in named] == ["greedy", "bot.py", "mine.py", "greedy (2)"]
    assert named[1].reference == "old/bot.py"
    named = contestants(["a/x/bot.py", "b/x/bot.py", "bot.py"], ["bot"] * 3)
    assert [bot.name for bot in named] == ["a/x/bot.py", "b/x/bot.py", "bot.py"]
    named = contestants(["/home/a/bot.py", "/home/b/bot.py"], ["bot"] * 2)
    assert [bot.name for bot in named] == ["a/bot.py", "b/bot.py"]


def test_one_bot_alone_makes_no_contest() -> None:
    with pytest.raises(ContestError, match="at least 2 bots"):
        contestants(["greedy"], ["greedy"])


def test_too_many_pairings_are_refused() -> None:
    with pytest.raises(ContestError, match="20 bots on 10 seats"):
        contest(*(f"bot {number}" for number in range(20)), seats=10).pairing(0)


def test_the_first_other_setting_is_named() -> None:
    assert difference(contest("a", "b"), contest("a", "b")) is None
    assert difference(contest("a", "b"), contest("a", "b", seed="2")) == "seed '1', not '2'"
    assert difference(contest("a", "b"), contest("a", "c")) == "bots a, b, not a, c"
    assert difference(contest("a", "b"), contest("a", "b", peeks=1)) == "options rounds=2, not peeks=1, rounds=2"
