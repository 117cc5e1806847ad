"""Room time: it runs with the node's clock, except while something holds it."""

from warroom_server.room.clock.room_time import REMEMBERED_MS, RoomTime


def test_it_runs_with_the_nodes_clock() -> None:
    time = RoomTime(at=500, now=7_000)
    assert [time.at(7_000), time.at(7_250)] == [500, 750]
    assert time.when(1_500) == 8_000


def test_it_stands_still_while_anything_holds_it() -> None:
    time = RoomTime(at=0, now=0)
    time.hold("append", 100)
    time.hold("agreed", 150)
    time.release("append", 200)
    assert (time.at(300), time.when(1_000)) == (100, None)
    time.release("agreed", 400)
    assert (time.at(450), time.when(1_000)) == (150, 1_300)


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


def test_a_moment_before_the_room_was_here_is_dated_at_its_beginning() -> None:
    time = RoomTime(at=700, now=1_000)
    assert time.at(200) == 700


def test_an_arrival_is_dated_right_however_often_the_room_stood_still_since() -> None:
    time = RoomTime(at=0, now=0)
    for began in range(100, 10_100, 50):
        time.hold("append", began)
        time.release("append", began + 1)
    assert time.at(90) == 90
    assert time.at(1_120) == 1_120 - 21


def test_what_is_older_than_anything_can_be_under_way_is_forgotten() -> None:
    time = RoomTime(at=0, now=0)
    for began in range(100, 10_000 + REMEMBERED_MS, 100):
        time.hold("append", began)
        time.release("append", began + 50)
    assert (time.at(9_950), time.at(9_980)) == (5_000, 5_030)
    assert time.at(5_000) == time.at(4_000)


def test_standing_still_for_no_time_is_running_on() -> None:
    time = RoomTime(at=0, now=0)
    time.hold("append", 100)
    time.release("append", 100)
    assert (time.at(150), time.at(50), time.when(200)) == (150, 50, 200)
