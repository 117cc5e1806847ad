"""Clients that ask and do not read: little is kept for them, and nobody waits for them."""

from collections.abc import Callable

from independent_client import Stranger
from process_metrics import counted, memory_bytes
from raw_websocket import RawLine
from server_process import ServerProcess
from wait_until import until
from websocket_peer import BINARY, frame

PATIENCE_S = 60
GAMES = frame(BINARY, b"\x92\xa5games\x01")
STUCK = 24
"""So many answers are more than the systems on both ends hold of a narrow line, and less than one is closed for."""
DEAF = 10
QUESTIONS = 400
MOST_GROWTH_BYTES = DEAF * 2_500_000
"""A megabyte may wait for each; all their answers would be eight."""


async def test_answers_that_nobody_reads_are_not_even_asked_for(server: ServerProcess) -> None:
    lines = [RawLine(server.port, is_narrow=True) for _ in range(DEAF)]
    for line in lines:
        line.greet()
    memory, read = memory_bytes(server.pid), counted(server, "messages_in")
    for line in lines:
        line.send(QUESTIONS * GAMES)
    await until(lambda: counted(server, "slow_viewers") == DEAF, within_s=PATIENCE_S)
    assert counted(server, "messages_in") - read < DEAF * QUESTIONS / 3
    assert memory_bytes(server.pid) - memory < MOST_GROWTH_BYTES
    for line in lines:
        with line:
            assert line.close_code() in (4004, None), "the line may be cut before the close is read"


async def test_the_match_of_a_player_who_stops_reading_goes_on(
    shared_server: ServerProcess, newcomer: Callable[..., Stranger]
) -> None:
    bob = newcomer("Bob")
    room = bob.ask("create", "graph_battle", 2, {}, {"turn_ms": 200, "seating": "as_joined", "timeouts": 0})[2]
    bob.ask("join", room)
    with RawLine(shared_server.port, is_narrow=True) as sloth:
        sloth.greet("Sloth")
        read = counted(shared_server, "messages_in")
        sloth.send(STUCK * GAMES)
        await until(lambda: counted(shared_server, "messages_in") >= read + STUCK, within_s=PATIENCE_S)
        sloth.say("join", 1, room)
        ids, played = 0, 0
        while (message := bob.await_message("prompt", "ended"))[0] == "prompt":
            ids += 1
            played += bob.act(room, ids, message[3], {"type": "end_turn"})[3] is None
        assert played >= 5
        heard = []
        while (message := sloth.hear_of("joined", "notice", "snapshot", "ended"))[0] != "ended":
            heard.append(message)
    assert [message[0] for message in heard] == ["joined", "snapshot", "notice", "snapshot"]
    assert heard[2][:3] == ["notice", room, "viewer.slow"]
