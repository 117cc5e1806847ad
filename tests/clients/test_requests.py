"""Tests of requests that wait for a reply."""

import asyncio
import gc
from typing import Any

import pytest

from warroom_client.errors import ClientError, DisconnectedError
from warroom_client.requests import Requests
from warroom_protocol import messages as wire


async def test_a_failed_request_tells_the_one_who_waits() -> None:
    requests = Requests()
    reply = requests.add(1, wire.Ping(1), survives=False, is_repair=False)
    requests.fail(DisconnectedError("gone"), survivors_too=False)
    with pytest.raises(DisconnectedError, match="gone"):
        await reply


async def test_a_failure_that_nobody_waits_for_prints_nothing() -> None:
    reported: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
    requests = Requests()
    for ref, survives in ((1, False), (2, True)):
        requests.add(ref, wire.Ping(ref), survives=survives, is_repair=False)
    requests.refuse(1, ClientError("refused"))
    requests.fail(DisconnectedError("gone"), survivors_too=True)
    del requests
    gc.collect()
    assert reported == []
