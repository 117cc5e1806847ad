"""The table of what closes a connection, row by row over a real socket."""

import pytest
from example_faults import AFTER_HELLO, IN_PLACE_OF_HELLO, Fault, about, sent_to
from raw_websocket import RawLine
from server_process import ServerProcess

LAST_REF = 2**53 - 1
NO_ROOM = 1


def examples(faults: tuple[Fault, ...]) -> list[object]:
    return [
        pytest.param(fault, example, id=f"{fault.words[:40]} {number}")
        for fault in faults
        for number, example in enumerate(fault.examples, start=1)
    ]


def check(line: RawLine, fault: Fault, example: bytes | list[object], room: int) -> None:
    line.send(sent_to(room, example))
    if fault.answer is not None:
        assert line.hear()[: len(fault.answer)] == about(room, fault.answer)
    if fault.close is not None:
        assert line.close_code() == fault.close
    else:
        line.say("ping", LAST_REF)
        assert line.hear() == ["pong", LAST_REF]


@pytest.mark.parametrize(("fault", "example"), examples(AFTER_HELLO))
def test_what_is_wrong_after_the_welcome_is_answered_as_documented(
    shared_server: ServerProcess, fault: Fault, example: bytes | list[object]
) -> None:
    with RawLine(shared_server.port) as line:
        line.greet()
        line.say("create", 1, "graph_battle", 2)
        room = line.hear_of("created")[2]
        line.say("join", 2, room)
        line.hear_of("seats")
        check(line, fault, example, room)


@pytest.mark.parametrize(("fault", "example"), examples(IN_PLACE_OF_HELLO))
def test_what_comes_in_place_of_a_good_hello_is_answered_as_documented(
    shared_server: ServerProcess, fault: Fault, example: bytes | list[object]
) -> None:
    with RawLine(shared_server.port) as line:
        line.shake_hands()
        check(line, fault, example, NO_ROOM)
