"""Refusals have the form that the sender of the request waits for."""

import pytest

from warroom_protocol import codes
from warroom_protocol.codec import decode_server
from warroom_protocol.messages import Error, Verdict
from warroom_server.room import commands
from warroom_server.room.viewer_addresses import Local
from warroom_server.session.replies import error, refuse


def test_an_action_is_refused_by_a_verdict() -> None:
    payload = refuse(7, commands.Act(Local(3), 11, 2, b"", 0), codes.ROOM_UNKNOWN)
    verdict = Verdict(7, 11, codes.ROOM_UNKNOWN, codes.REFUSALS[codes.ROOM_UNKNOWN], 0, 0, None)
    assert decode_server(payload) == verdict


@pytest.mark.parametrize(
    "command",
    [
        commands.Join(Local(3), 9, "ada", "Ada", None, "token", None),
        commands.Watch(Local(3), 9, None),
        commands.Leave(Local(3), 9),
        commands.Start(Local(3), 9),
        commands.Legal(Local(3), 9),
        commands.Resync(Local(3), 9, "gap"),
        commands.Resign(Local(3), 9),
    ],
)
def test_a_request_is_refused_by_an_error_with_its_ref(command: commands.Request) -> None:
    refusal = refuse(7, command, codes.ROOM_UNKNOWN, "gone")
    assert decode_server(refusal) == Error(9, codes.ROOM_UNKNOWN, "gone")


def test_an_error_without_detail_says_what_the_code_means() -> None:
    assert decode_server(error(None, codes.INTERNAL)) == Error(None, codes.INTERNAL, codes.REFUSALS[codes.INTERNAL])
