"""Refusals have the form that the sender of the request waits for."""

import pytest

from warroom_protocol import codes
from warroom_protocol.codec import decode_server
from warroom_protocol.messages import Error, Verdict
from warroom_server.room import commands
from warroom_server.session.refusals import error, refuse


def test_an_action_is_refused_by_a_verdict() -> None:
    refusal = refuse(7, commands.Act(3, 11, 2, b"", 0), codes.ROOM_UNKNOWN)
    assert refusal is not None
    connection, payload = refusal
    verdict = Verdict(7, 11, codes.ROOM_UNKNOWN, codes.REFUSALS[codes.ROOM_UNKNOWN], 0, 0, None)
    assert (connection, decode_server(payload)) == (3, verdict)


@pytest.mark.parametrize(
    "command",
    [
        commands.Join(3, 9, "ada", "Ada", None, "token", None),
        commands.Watch(3, 9, None),
        commands.Leave(3, 9),
        commands.Start(3, 9),
        commands.Legal(3, 9),
        commands.Resync(3, 9, "gap"),
        commands.Resign(3, 9),
    ],
)
def test_a_request_is_refused_by_an_error_with_its_ref(command: commands.Command) -> None:
    refusal = refuse(7, command, codes.ROOM_UNKNOWN, "gone")
    assert refusal is not None
    assert (refusal[0], decode_server(refusal[1])) == (3, Error(9, codes.ROOM_UNKNOWN, "gone"))


@pytest.mark.parametrize("command", [commands.Detach(3), commands.Expire(), commands.Committed(1)])
def test_what_nobody_asked_for_needs_no_answer(command: commands.Command) -> None:
    assert refuse(7, command, codes.INTERNAL) is None


def test_an_error_without_detail_says_what_the_code_means() -> None:
    assert decode_server(error(None, codes.INTERNAL)) == Error(None, codes.INTERNAL, codes.REFUSALS[codes.INTERNAL])
