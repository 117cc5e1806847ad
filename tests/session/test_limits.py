"""Token buckets in virtual time."""

from hypothesis import given
from hypothesis import strategies as st

from warroom_server.session.limits import Bucket, Limits, Meter

SMALL = Limits(messages_per_s=10, messages_burst=20, bytes_per_s=1000, bytes_burst=2000)


def test_a_full_bucket_gives_its_burst_without_a_pause() -> None:
    bucket = Bucket(10, 20, now=0)
    assert [bucket.take(1, 0) for _ in range(20)] == [0] * 20
    assert bucket.take(1, 0) == 100


def test_a_bucket_refills_with_time_and_never_beyond_its_burst() -> None:
    bucket = Bucket(10, 20, now=0)
    bucket.take(20, 0)
    assert bucket.take(10, 1000) == 0
    assert bucket.take(20, 1_000_000) == 0
    assert bucket.take(1, 1_000_000) == 100


def test_a_clock_that_seems_to_go_back_refills_nothing() -> None:
    bucket = Bucket(10, 20, now=1000)
    bucket.take(20, 1000)
    assert bucket.take(1, 500) == 100


def test_the_stricter_of_both_buckets_says_how_long_to_wait() -> None:
    assert Meter(SMALL, 0).take(2500, 0) == 500
    meter = Meter(SMALL, 0)
    assert max(meter.take(1, 0) for _ in range(25)) == 500


@given(st.lists(st.integers(min_value=1, max_value=4096), max_size=200))
def test_whoever_waits_as_told_never_gets_more_than_the_rate(sizes: list[int]) -> None:
    meter, now = Meter(SMALL, 0), 0
    for size in sizes:
        now += meter.take(size, now)
    assert sum(sizes) <= SMALL.bytes_burst + SMALL.bytes_per_s * now / 1000 + 1
    assert len(sizes) <= SMALL.messages_burst + SMALL.messages_per_s * now / 1000 + 1
