"""The delays between attempts to connect."""

from itertools import islice

from warroom_client.backoff import FIRST_S, LONGEST_S, backoff


def test_delays_double_up_to_the_longest() -> None:
    longest = list(islice(backoff(lambda low, high: high), 8))
    assert longest[:3] == [FIRST_S, 2 * FIRST_S, 4 * FIRST_S]
    assert longest[-1] == LONGEST_S


def test_each_delay_is_drawn_from_its_upper_half() -> None:
    shortest = list(islice(backoff(lambda low, high: low), 8))
    assert shortest[0] == FIRST_S / 2
    assert shortest[-1] == LONGEST_S / 2


def test_two_clients_do_not_come_back_in_step() -> None:
    assert list(islice(backoff(), 4)) != list(islice(backoff(), 4))
