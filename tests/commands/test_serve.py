"""`warroom serve` reports a failed start in one line."""

import os
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fake_packages import install_game
from redis_server import RedisServer, redis_server
from redis_topologies import wait_for
from server_process import SEALED_BIDS, WARROOM, ServerProcess


def serve(*flags: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a server that is expected to fail at the start."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("WARROOM_")}
    command = [str(WARROOM), "serve", "--port", "0", "--admin-port", "0", *flags]
    environment = {**inherited, **{f"WARROOM_{name.upper()}": value for name, value in settings.items()}}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30, check=False)


def complaint(run: subprocess.CompletedProcess[str], code: int = 1) -> str:
    """Return the one line that a failed server printed."""
    assert run.returncode == code
    assert run.stdout == ""
    (line,) = run.stderr.splitlines()
    assert line.startswith("warroom serve: ")
    return line


def test_a_port_in_use_is_named(server: ServerProcess) -> None:
    said = complaint(serve("--port", str(server.port), redis="memory://"))
    assert str(server.port) in said
    assert said.endswith("address already in use; --port sets another")


def test_an_admin_port_in_use_is_named(server: ServerProcess) -> None:
    said = complaint(serve("--admin-port", str(server.admin_port), redis="memory://"))
    assert str(server.admin_port) in said
    assert said.endswith("address already in use; --admin-port sets another")


def test_a_foreign_server_is_named_in_the_error() -> None:
    said = complaint(serve("--host", "192.0.2.1", redis="memory://"))
    assert "192.0.2.1" in said
    assert said.endswith("; --host sets another")


def test_a_file_is_no_data_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert complaint(serve("--data", str(tmp_path / "file"))).endswith("/file cannot be used: it is not a folder")


def test_a_folder_in_use_is_named(server: ServerProcess) -> None:
    folder = server.folder / "data"
    assert str(folder) in complaint(serve("--data", str(folder)))


@pytest.mark.parametrize(
    ("flags", "settings", "says"),
    [
        pytest.param((), {"redis": "redis://127.0.0.1:port/0"}, "--redis: expected redis://", id="no port of a store"),
        pytest.param(("--game", "nowhere:GAME"), {"redis": "memory://"}, "nowhere", id="no such game"),
        pytest.param(("--reload", "--game", "nowhere:GAME"), {}, "cannot import 'nowhere'", id="no such game to watch"),
        pytest.param((), {"crash_at": "nowhere", "redis": "memory://"}, "WARROOM_CRASH_AT", id="no crash point"),
    ],
)
def test_errors_are_named(flags: tuple[str, ...], settings: dict[str, str], says: str) -> None:
    assert says in complaint(serve(*flags, **settings))


@pytest.mark.parametrize(
    ("flags", "settings", "says"),
    [
        pytest.param((), {"port_": "1"}, "WARROOM_PORT_", id="an unknown variable"),
        pytest.param((), {"max_rooms": "0"}, "WARROOM_MAX_ROOMS", id="a bad variable"),
        pytest.param(("--replay-days", "soon"), {}, "--replay-days", id="a bad flag"),
        pytest.param(("--port", "99999"), {}, "--port", id="a port out of range"),
        pytest.param((), {"redis": "http://somewhere"}, "WARROOM_REDIS: expected a URL", id="no store's URL"),
        pytest.param(
            ("--reload", "--workers", "2"), {}, "--reload is for a server of one node", id="nodes that reload"
        ),
        pytest.param(
            ("--reload",), {"redis": "memory://"}, "--reload needs a store that keeps", id="nothing to reload"
        ),
        pytest.param(("--redis", "nonsense"), {}, "--redis: expected a URL that starts with redis://", id="no URL"),
    ],
)
def test_a_setting_that_cannot_be_is_a_mistake_of_usage(
    flags: tuple[str, ...], settings: dict[str, str], says: str
) -> None:
    assert says in complaint(serve(*flags, **settings), code=2)


def test_a_store_that_must_not_be_used_is_not_waited_for() -> None:
    with redis_server("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru") as server:
        assert "maxmemory-policy is allkeys-lru" in complaint(serve(redis=server.url))


def test_a_store_that_comes_late_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    store = RedisServer(tmp_path / "store")
    server = ServerProcess(tmp_path, redis=store.url)
    with ThreadPoolExecutor() as pool:
        started = pool.submit(server.start)
        wait_for(lambda: "waiting for the store" in server.log, "telling that there is no store")
        try:
            store.start()
            started.result()
            assert server.get("/readyz") == b"ready\n"
        finally:
            server.close()
            store.kill()
    (waiting,) = [line for line in server.log.splitlines() if "waiting for the store" in line]
    assert "trouble=away" in waiting
    assert f"127.0.0.1:{store.port} cannot be reached: Connection refused" in waiting


@pytest.mark.parametrize("flags", [(), ("--workers", "2")])
def test_stopping_the_server_does_not_wait_for_the_store(flags: tuple[str, ...]) -> None:
    command = [str(WARROOM), "serve", "--port", "0", "--admin-port", "0", "--redis", "redis://127.0.0.1:1/0", *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "waiting for the store" in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        said, left = process.communicate(timeout=20)
    assert (process.returncode, said) == (0, "")
    assert "server stopped before it was ready" in left


def test_a_game_can_be_added_by_hand(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, *SEALED_BIDS, redis="memory://")
    server.start()
    try:
        assert b"sealed_bids" in server.get("/api/games")
    finally:
        server.close()


def test_a_broken_package_does_not_keep_the_server_from_starting(tmp_path: Path) -> None:
    install_game(tmp_path, "wrecked", "def")
    server = ServerProcess(tmp_path, redis="memory://")
    server.start()
    try:
        assert b"graph_battle" in server.get("/api/games")
        (warning,) = [line for line in server.log.splitlines() if "wrecked" in line]
        assert "level=WARNING" in warning
        assert "left out: game wrecked of the package warroom-wrecked: " in warning
    finally:
        server.close()
