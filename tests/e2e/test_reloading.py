"""`warroom serve --reload`: files of a game are edited while a server runs."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fake_packages import install_game
from independent_client import Stranger
from processes import commands_below, is_alive
from redis_topologies import wait_for
from server_process import ServerProcess

RULES = """
from sealed_bids import SealedBids

class House(SealedBids):
    def setup(self, seats, options, rng):
        return super().setup(seats, options, {rng})

GAME = House()
"""
BOARD = "export function mount() {}  // {number}"


def write_rules(server: ServerProcess, rng: str) -> None:
    package = server.folder / "house"
    (package / "board").mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").touch()
    (package / "rules.py").write_text(RULES.format(rng=rng))


def adopted(server: ServerProcess) -> int:
    return server.log.count("room adopted")


def await_refusals(server: ServerProcess, count: int) -> str:
    """Return the last line that says why the server was not restarted."""
    lines: list[str] = []

    def are_said() -> bool:
        lines[:] = [line for line in server.log.splitlines() if "not reloaded: " in line]
        return len(lines) == count

    wait_for(are_said, "a line about the broken file")
    return lines[-1]


@pytest.fixture
def house(new_server: Callable[..., ServerProcess]) -> ServerProcess:
    """Return a running server that reloads, with a game in a package of its own."""
    server = new_server("--reload", "--game", "house.rules:GAME")
    write_rules(server, "rng")
    (server.folder / "house" / "board" / "board.js").write_text(BOARD)
    server.start()
    return server


@pytest.fixture
def seated(house: ServerProcess) -> Iterator[tuple[Stranger, int]]:
    """Return a player in a running match, and its room."""
    ada, bob = Stranger(house.url, "Ada"), Stranger(house.url, "Bob")
    room = ada.ask("create", "sealed_bids", 2, {}, {"turn_ms": 60_000})[2]
    for player in (ada, bob):
        assert player.ask("join", room, None, None, None)[0] == "joined"
    bob.await_message("prompt")
    yield ada, room
    ada.close()
    bob.close()


def test_rooms_continue_on_the_same_port_after_an_edit(house: ServerProcess, seated: tuple[Stranger, int]) -> None:
    ada, room = seated
    for number, rng in enumerate(("(rng)", "((rng))"), start=1):
        write_rules(house, rng)
        wait_for(lambda number=number: adopted(house) == number and is_up(house), "the next server")  # type: ignore[misc]
        back = Stranger(house.url, "Ada", ada.token)
        assert back.ask("join", room, None, None, None)[0] == "joined"
        back.close()
    assert house.stop() == 0
    assert "Traceback" not in house.log


def test_a_match_whose_rules_changed_ends_and_says_so(house: ServerProcess, seated: tuple[Stranger, int]) -> None:
    ada, room = seated
    write_rules(house, "rng.spawn()[0]")
    wait_for(lambda: "changed without a new version" in house.log and is_up(house), "the end of the match")
    back = Stranger(house.url, "Ada", ada.token)
    assert back.ask("join", room, None, None, None)[2] == "rules.changed"
    back.close()


def test_while_a_file_has_an_error_the_old_server_runs_on(house: ServerProcess, seated: tuple[Stranger, int]) -> None:
    ada, room = seated
    rules = house.folder / "house" / "rules.py"
    rules.write_text("def setup(:")
    said = await_refusals(house, 1)
    assert said == (
        "warroom serve: not reloaded: cannot import 'house.rules': SyntaxError: invalid syntax (rules.py, line 1)"
    )
    rules.write_text("from house import nowhere")
    assert "cannot import 'house.rules': ImportError: " in await_refusals(house, 2)
    assert ada.ask("legal", room, False)[0] == "legal"
    assert adopted(house) == 0
    write_rules(house, "(rng)")
    wait_for(lambda: adopted(house) == 1, "the room in the next server")


def test_a_changed_board_is_served_and_a_new_file_as_well(house: ServerProcess) -> None:
    board = house.folder / "house" / "board"
    (board / "board.js").write_text(f"{BOARD} once more")

    def is_served(path: str, body: str) -> bool:
        try:
            return house.get(path) == body.encode()
        except OSError:
            return False  # the next server does not listen yet, or has no such file

    wait_for(lambda: is_served("/boards/sealed_bids/board.js", f"{BOARD} once more"), "the changed board")
    (board / "board.css").write_text("b {}")
    wait_for(lambda: is_served("/boards/sealed_bids/board.css", "b {}"), "the new file")


def test_an_installed_game_that_breaks_is_named_and_the_others_stay(
    new_server: Callable[..., ServerProcess], tmp_path: Path
) -> None:
    server = new_server("--reload")
    server.folder.mkdir(parents=True, exist_ok=True)
    install_game(server.folder, "late", "from sealed_bids import GAME")
    install_game(server.folder, "wrecked", "def")
    server.start()
    (server.folder / "late_rules.py").write_text("from sealed_bids import BAME")
    said = await_refusals(server, 1)
    assert said.startswith("warroom serve: not reloaded: cannot import 'late_rules': ImportError: ")
    assert "wrecked" not in said
    assert b"sealed_bids" in server.get("/api/games")


def test_a_server_that_died_is_started_by_the_next_change(house: ServerProcess) -> None:
    os.kill(child_of(house), signal.SIGKILL)
    wait_for(lambda: "warroom serve: the server ended with code -9; it is started again" in house.log, "the news")
    write_rules(house, "(rng)")
    wait_for(lambda: is_up(house), "the next server")


def test_the_server_ends_with_the_one_that_watches_it(house: ServerProcess) -> None:
    house.kill()
    wait_for(lambda: not is_up(house), "the end of the server")


def test_a_game_may_print_when_it_loads_and_while_it_is_played(new_server: Callable[..., ServerProcess]) -> None:
    server = new_server("--reload", "--game", "house.rules:GAME")
    write_rules(server, "(print('so much' * 50_000), rng)[1]")
    rules = server.folder / "house" / "rules.py"
    rules.write_text(f"print('it', 'loads')\nprint('[1]', end='')\n{rules.read_text()}")
    server.start()
    players = [Stranger(server.url, name) for name in ("Ada", "Bob")]
    room = players[0].ask("create", "sealed_bids", 2, {}, {"turn_ms": 60_000})[2]
    for player in players:
        assert player.ask("join", room, None, None, None)[0] == "joined"
    players[1].await_message("prompt")
    for player in players:
        player.close()
    assert "it loads" in server.log
    assert server.stop() == 0
    assert "so muchso much" in server.log


def test_a_second_signal_ends_the_server_at_once(house: ServerProcess) -> None:
    child = child_of(house)
    os.kill(child, signal.SIGSTOP)  # it cannot even stop
    wait_for(lambda: status_of(child, "State").startswith("T"), "the suspension")
    os.kill(house.pid, signal.SIGTERM)
    wait_for(lambda: is_asked_to_stop(child), "the first signal")
    os.kill(house.pid, signal.SIGINT)
    assert house.await_end() != 0
    assert not is_alive(child)


def is_asked_to_stop(process: int) -> bool:
    """Whether SIGTERM waits for a process that was suspended."""
    return bool(int(status_of(process, "ShdPnd"), 16) >> (signal.SIGTERM - 1) & 1)


def status_of(process: int, name: str) -> str:
    """Return what the system says of a process."""
    status = Path(f"/proc/{process}/status").read_text()
    (value,) = [line.split()[1] for line in status.splitlines() if line.startswith(f"{name}:")]
    return value


def child_of(server: ServerProcess) -> int:
    """Return the process that serves."""
    (child,) = [child for child, command in commands_below(server.pid).items() if "serve" in command]
    return child


def is_up(server: ServerProcess) -> bool:
    try:
        return server.get("/readyz") == b"ready\n"
    except OSError:
        return False
