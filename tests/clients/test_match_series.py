"""Many matches at once on few connections, against a real server and a scripted one."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted_server import Peer, scripted
from server_process import ServerProcess
from wait_until import until

from warroom_bots.bot_executor import BotExecutor
from warroom_bots.crew import Crew
from warroom_bots.match_series import MatchSeries, Tally
from warroom_bots.registry import find_bot
from warroom_bots.room_search import RoomRequest
from warroom_bots.roster import Roster
from warroom_bots.runner import Think
from warroom_bots.supervision import Failure, Supervisor
from warroom_client import Client, DisconnectedError, RejectedError
from warroom_games.rng import Rng
from warroom_protocol import codes

KEY = bytes(16)
QUICK = RoomRequest(game="graph_battle", creates=True, seats=2, options={"max_rounds": 2})


class Report:
    """Records how a series goes on."""

    def __init__(self) -> None:
        self.most_seats = 0
        self.said: list[str] = []

    def changed(self, tally: Tally) -> None:
        """Note the counts."""
        self.most_seats = max(self.most_seats, tally.seats)

    def say(self, line: str) -> None:
        """Note a line."""
        self.said.append(line)


def series(
    url: str,
    request: RoomRequest,
    report: Report,
    *,
    matches: int | None,
    parallel: int = 1,
    think: Think = Think(),  # noqa: B008 - a frozen value
) -> MatchSeries:
    def tell(failure: Failure) -> None:
        raise AssertionError(failure)

    kind = find_bot(request.game or "", "random")
    supervisor = Supervisor(kind, BotExecutor(1), think=think, tell=tell)
    roster = Roster(url, kind.name, None, report.say)
    return MatchSeries(roster, request, supervisor, Rng(KEY), matches=matches, parallel=parallel, reporter=report)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Return a running server that the tests share; nobody else fills its rooms."""
    running = ServerProcess(tmp_path_factory.mktemp("server"), rooms_per_player="3")
    running.start()
    yield running
    running.close()


def connections(server: ServerProcess) -> int:
    """Return how many websockets the server holds."""
    lines = [line for line in server.metrics().splitlines() if line.startswith("warroom_connections ")]
    return int(float(lines[0].split()[1]))


async def test_matches_share_the_connections_of_their_players(server: ServerProcess) -> None:
    report = Report()
    playing = series(server.url, QUICK, report, matches=6, parallel=3)
    running = asyncio.create_task(playing.run())
    await until(lambda: report.most_seats == 6)
    assert await asyncio.to_thread(connections, server) <= 2
    tally = await running
    assert (tally.finished, tally.won, tally.void, tally.aborted, tally.running) == (6, 6, 0, 0, 0)
    played = json.loads(server.get("/api/matches?game=graph_battle"))
    assert {player["name"] for match in played for player in match["players"]} == {"random 1", "random 2"}


async def test_a_limit_of_rooms_is_waited_out(server: ServerProcess) -> None:
    report = Report()
    tally = await series(server.url, QUICK, report, matches=8, parallel=5).run()
    assert tally.finished == 8
    assert [line.partition(": ")[2] for line in report.said] == ["a player may have 3 unfinished rooms (room.limit)"]


async def test_bots_of_a_series_wait_for_others_and_not_for_each_other(server: ServerProcess) -> None:
    report = Report()
    request = RoomRequest(game="strata", count=1)
    playing = series(server.url, request, report, matches=None, parallel=2)
    running = asyncio.create_task(playing.run())
    await until(lambda: report.most_seats == 2)
    async with Client(server.url) as other:

        async def both_wait() -> bool:
            return [room.taken for room in await other.rooms("strata", phase="lobby")] == [1, 1]

        await until(both_wait)
    playing.stop()
    tally = await running
    assert (tally.finished, tally.running) == (0, 0)


async def test_a_stopped_series_finishes_its_running_matches(server: ServerProcess) -> None:
    report = Report()
    playing = series(server.url, QUICK, report, matches=None, parallel=2)
    running = asyncio.create_task(playing.run())
    await until(lambda: playing.tally.finished > 0)
    playing.stop()
    tally = await running
    assert (tally.aborted, tally.running) == (0, 0)


async def test_a_wrong_request_is_raised_at_once(server: ServerProcess) -> None:
    request = RoomRequest(game="graph_battle", creates=True, seats=9)
    with pytest.raises(RejectedError, match=codes.GAME_SEATS):
        await series(server.url, request, Report(), matches=3, parallel=2).run()


async def test_a_server_that_is_not_there_is_reported_at_once() -> None:
    with pytest.raises(DisconnectedError, match="cannot reach"):
        await series("ws://127.0.0.1:1/ws", QUICK, Report(), matches=None).run()


async def test_a_server_at_its_limit_is_asked_again_when_it_says() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        report = Report()
        playing = asyncio.create_task(series(f"ws://127.0.0.1:{port}/ws", QUICK, report, matches=1).run())
        await until(lambda: report.said != [])
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
    (line,) = report.said
    assert line.startswith("waiting 7.0 s: cannot reach ")


async def test_a_player_that_lost_its_connection_for_good_is_replaced() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.until_closed()

    async def closing(peer: Peer) -> None:
        await peer.welcome()
        await peer.socket.close(codes.CLOSE_ROTATED)

    async with scripted(closing, script) as url:
        crew = Crew(Roster(url, "random", None, print))
        (first,) = await crew.players(1)
        await until(lambda: first.has_failed)
        (second,) = await crew.players(1)
        assert second is not first
        assert (await crew.players(1)) == [second]
        await crew.close()


@pytest.mark.long
async def test_hundreds_of_seats_play_on_a_dozen_connections(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "server")
    server.start()
    try:
        report = Report()
        slowly = Think(5_000, 5_000)
        playing = series(server.url, QUICK, report, matches=None, parallel=150, think=slowly)
        running = asyncio.create_task(playing.run())
        await until(lambda: playing.tally.seats == 300, within_s=300)
        assert await asyncio.to_thread(connections, server) <= 12
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert (playing.tally.aborted, playing.tally.running) == (0, 0)
    finally:
        server.close()
