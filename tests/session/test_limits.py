"""Token buckets in virtual time."""

from hypothesis import given
from hypothesis import strategies as st

from warroom_server.session.limits import Limits
from warroom_server.session.session import Meter

SMALL = Limits(messages_per_s=10, messages_burst=20, bytes_per_s=1000, bytes_burst=2000)


def test_full_buckets_give_their_burst_without_a_pause() -> None:
    meter = Meter(SMALL)
    assert [meter.take(1, 0) for _ in range(20)] == [0] * 20
    assert meter.take(1, 0) == 100


def test_buckets_refill_with_time_and_never_beyond_their_burst() -> None:
    meter = Meter(SMALL)
    meter.take(2000, 0, cost=20)
    assert meter.take(1000, 1000, cost=10) == 0
    assert meter.take(2000, 1_000_000, cost=20) == 0
    assert meter.take(0, 1_000_000) == 100
    assert meter.take(200, 1_000_000, cost=0) == 200


def test_a_clock_that_seems_to_go_back_refills_nothing() -> None:
    meter = Meter(SMALL)
    meter.take(0, 1000, cost=20)
    assert meter.take(0, 500) == 600


def test_the_stricter_of_both_buckets_says_how_long_to_wait() -> None:
    assert Meter(SMALL).take(2500, 0) == 500
    meter = Meter(SMALL)
    assert max(meter.take(1, 0) for _ in range(25)) == 500


@given(st.lists(st.integers(min_value=1, max_value=4096), max_size=200))
def test_whoever_waits_as_told_never_gets_more_than_the_rate(sizes: list[int]) -> None:
    meter, now = Meter(SMALL), 0
    for size in sizes:
        now += meter.take(size, now)
    assert sum(sizes) <= SMALL.bytes_burst + SMALL.bytes_per_s * now / 1000 + 1
    assert len(sizes) <= SMALL.messages_burst + SMALL.messages_per_s * now / 1000 + 1
