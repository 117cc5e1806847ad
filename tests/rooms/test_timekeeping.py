"""Room time: it runs with the node's clock, except while something holds it."""

from warroom_server.rooms.timekeeping import REMEMBERED, RoomTime


def test_it_runs_with_the_nodes_clock() -> None:
    time = RoomTime(at=500, now=7_000)
    assert [time.at(7_000), time.at(7_250)] == [500, 750]
    assert time.when(1_500) == 8_000


def test_it_stands_still_while_anything_holds_it() -> None:
    time = RoomTime(at=0, now=0)
    time.hold("append", 100)
    time.pause("store", 150)
    time.release("append", 200)
    assert (time.at(300), time.when(1_000), time.paused) == (100, None, "store")
    time.unpause(400)
    assert (time.at(450), time.when(1_000), time.paused) == (150, 1_300, None)


def test_releasing_what_does_not_hold_changes_nothing() -> None:
    time = RoomTime(at=0, now=0)
    time.release("append", 100)
    assert time.at(200) == 200


def test_a_moment_a_little_while_ago_is_dated_as_it_was_then() -> None:
    time = RoomTime(at=0, now=1_000)
    for began in (2_000, 3_000, 4_000):
        time.hold("append", began)
        time.release("append", began + 500)
    readings = {1_500: 500, 2_200: 1_000, 2_600: 1_100, 3_400: 1_500, 3_999: 1_999, 4_100: 2_000, 4_600: 2_100}
    assert {moment: time.at(moment) for moment in readings} == readings


def test_a_moment_before_all_that_is_remembered_is_dated_at_its_beginning() -> None:
    time = RoomTime(at=700, now=1_000)
    assert time.at(200) == 700
    for began in range(2_000, 2_000 + 100 * REMEMBERED, 100):
        time.hold("append", began)
        time.release("append", began + 50)
    assert time.at(1_500) == 1_700
