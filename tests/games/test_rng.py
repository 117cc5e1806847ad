"""The generator: known answers, fairness of its range, and nothing left to chance."""

from collections import Counter
from hashlib import blake2b
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warroom_games.rng import KEY_BYTES, Rng

KEY = bytes(range(KEY_BYTES))
KEYS = st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES)


def word(counter: int, key: bytes = KEY) -> int:
    """The specification once more, written apart from the code under test."""
    digest = blake2b(counter.to_bytes(8, "big"), digest_size=8, key=key).hexdigest()
    return int(digest, 16)


class TestWords:
    @pytest.mark.parametrize(
        ("counter", "expected"),
        [
            pytest.param(0, 0x9DC6E1A99DEF21D3, id="first word"),
            pytest.param(1, 0x291CAD30EA6B67EA, id="second word"),
            pytest.param(2**32, 0xAE3716561773AD7F, id="a word far on"),
        ],
    )
    def test_a_draw_below_two_to_the_64_is_the_word_itself(self, counter: int, expected: int) -> None:
        assert word(counter) == expected
        assert Rng(KEY, counter).below(2**64) == (expected, Rng(KEY, counter + 1))

    @given(KEYS, st.integers(0, 2**40), st.integers(1, 1000))
    def test_a_small_draw_is_the_word_modulo_the_bound(self, key: bytes, counter: int, bound: int) -> None:
        assert Rng(key, counter).below(bound) == (word(counter, key) % bound, Rng(key, counter + 1))

    def test_words_past_the_last_multiple_of_the_bound_are_thrown_away(self) -> None:
        bound = 2**63 + 1
        first = next(n for n in range(100) if word(n) >= bound)
        second = next(n for n in range(first, 100) if word(n) < bound)
        assert Rng(KEY, first).below(bound) == (word(second), Rng(KEY, second + 1))

    @pytest.mark.parametrize("bound", [0, -1, 2**64 + 1])
    def test_an_impossible_bound_is_refused(self, bound: int) -> None:
        with pytest.raises(ValueError, match=str(bound)):
            Rng(KEY).below(bound)


class TestBits:
    @given(KEYS, st.integers(0, 2**40), st.integers(0, 200))
    def test_the_flips_are_the_low_bits_of_consecutive_words(self, key: bytes, counter: int, count: int) -> None:
        words = (count + 63) // 64
        joined = sum(word(counter + n, key) * 2 ** (64 * n) for n in range(words))
        assert Rng(key, counter).bits(count) == (joined % 2**count, Rng(key, counter + words))


class TestSelections:
    def test_a_choice_is_a_draw_of_an_index(self) -> None:
        assert Rng(KEY).choice("abcde") == ("abcde"[word(0) % 5], Rng(KEY, 1))

    @given(KEYS, st.lists(st.integers(), max_size=20))
    def test_a_shuffle_keeps_every_item(self, key: bytes, items: list[int]) -> None:
        shuffled, rng = Rng(key).shuffle(items)
        assert Counter(shuffled) == Counter(items)
        assert rng.counter == max(len(items) - 1, 0)

    @given(KEYS, st.integers(0, 10))
    def test_a_sample_holds_different_items(self, key: bytes, count: int) -> None:
        sample, _ = Rng(key).sample(range(10), count)
        assert len(set(sample)) == len(sample) == count

    @pytest.mark.parametrize("count", [-1, 4])
    def test_a_sample_larger_than_its_source_is_refused(self, count: int) -> None:
        with pytest.raises(ValueError, match=str(count)):
            Rng(KEY).sample("abc", count)

    def test_every_order_comes_up_about_equally_often(self) -> None:
        rng, seen = Rng(KEY), Counter[tuple[int, ...]]()
        for _ in range(6000):
            order, rng = rng.shuffle(range(3))
            seen[order] += 1
        assert set(seen) == set(permutations(range(3)))
        assert all(850 < count < 1150 for count in seen.values())


class TestSpawn:
    def test_a_spawned_generator_has_a_key_of_its_own(self) -> None:
        child, rng = Rng(KEY, 7).spawn()
        key = blake2b((7).to_bytes(8, "big"), digest_size=KEY_BYTES, key=KEY, person=b"spawn").digest()
        assert (child, rng) == (Rng(key), Rng(KEY, 8))

    def test_it_shares_no_bytes_with_the_word_of_the_same_counter(self) -> None:
        child, _ = Rng(KEY).spawn()
        assert word(0).to_bytes(8, "big") not in child.key
