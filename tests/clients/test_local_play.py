"""Playing against bots without a server: at a console, and on the command line."""

import asyncio
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from console_double import Typist
from misbehaving_bots import Counting
from msgspec.structs import replace
from sealed_bids import GAME
from server_process import WARROOM
from wait_until import until

from warroom_bots.api import Action, Bot, BotKind, Decision
from warroom_bots.bot_references import FunctionBot
from warroom_bots.random_bot import BOT as RANDOM
from warroom_client import ClientError
from warroom_games.api import OptionsError
from warroom_games.registry import load_games
from warroom_games.rng import Rng
from warroom_server.cli import main
from warroom_terminal.local_play import LocalHost, LocalTable, play_at, seated


class Furious:
    """Fails when it has to bid."""

    def choose(self, decision: Decision) -> Action:
        raise ValueError("I had\na plan")


def table(*bots: BotKind, seat: int | None = 0, **options: object) -> LocalTable:
    return LocalTable(game=GAME, name="Ada", bots=bots or (RANDOM,), options=options, seat=seat)


@asynccontextmanager
async def at_the_table(typist: Typist, wanted: LocalTable, seed: str = "7") -> AsyncIterator[None]:
    """Play until the test has seen enough, and quit."""
    playing = asyncio.create_task(play_at(typist, wanted, seed))
    try:
        yield
        typist.type("/quit")
        await playing
    finally:
        playing.cancel()


async def test_a_match_is_played_to_its_end_and_the_same_again() -> None:
    typist = Typist()
    async with at_the_table(typist, table(RANDOM, RANDOM, rounds=1, peeks=0)):
        await typist.sees("Sealed Bids against random and random, without a server and without a clock (seed 7)")
        await typist.sees("Your move:")
        typist.type("1")
        await typist.sees("Match over: ")
    again = "same start:  warroom play sealed_bids --local --seats 3 --seat 0"
    assert f"{again} --option rounds=1 --option peeks=0 --seed 7" in typist.lines
    assert not [line for line in typist.lines if " left" in line]
    twin = Typist()
    async with at_the_table(twin, table(RANDOM, RANDOM, rounds=1, peeks=0)):
        await twin.sees("Your move:")
        twin.type("1")
        await twin.sees("Match over: ")
    assert twin.lines == typist.lines


async def test_lines_typed_ahead_into_a_pipe_wait_for_their_questions() -> None:
    typist = Typist()
    typist.type("1", "1", "1", None)
    await play_at(typist, table(RANDOM, rounds=3, peeks=0), "7")
    assert len([line for line in typist.lines if line.startswith("you: bid")]) == 3
    assert any(line.startswith("Match over: ") for line in typist.lines)
    assert not any("not your turn" in line for line in typist.lines)


async def test_commands_typed_ahead_into_a_pipe_wait_for_the_actions_before_them() -> None:
    typist = Typist()
    typist.type("1", "1", "/seats", "1", "/quit")
    await play_at(typist, table(RANDOM, rounds=4, peeks=0), "7")
    told = [line.split()[0] for line in typist.lines if line.startswith(("you: bid", "  0 "))]
    assert told == ["0", "you:", "you:", "0", "you:"]  # the seats are also shown as the match starts


async def test_in_a_terminal_a_line_that_comes_before_its_question_is_no_answer_to_it() -> None:
    typist = Typist(ticks=True)
    typist.type("1")
    async with at_the_table(typist, table(RANDOM, rounds=3, peeks=0)):
        await typist.sees("your choices are still loading")
        await typist.sees("Your move:")
    assert not any(line.startswith("you: bid") for line in typist.lines)


async def test_help_has_only_what_is_possible_without_a_server() -> None:
    typist = Typist()
    async with at_the_table(typist, table(rounds=1, peeks=0)):
        typist.type("/help")
        await typist.sees("/quit")
    offered = [line.split()[0] for line in typist.lines if line.startswith("  /")]
    assert offered == ["/legal", "/more", "/board", "/seats", "/rules", "/resign", "/help", "/rematch", "/quit"]


async def test_a_rematch_has_a_seed_of_its_own() -> None:
    typist = Typist()
    async with at_the_table(typist, table(rounds=1, peeks=0)):
        for seed in ("--seed 7", "--seed 7.2"):
            await typist.sees("Your move:")
            typist.lines.remove("Your move:")
            typist.type("1")
            await typist.sees(seed)
            typist.type("/rematch")
        await typist.sees("the rematch is in room 0000003")


async def test_bots_wait_for_the_player_and_do_what_a_server_would_let_them() -> None:
    typist = Typist()
    async with at_the_table(typist, table(rounds=2, peeks=0)):
        await typist.sees("Your move:")
        assert typist.prompt == "your move"
        typist.type("/say hello", "/device", "/rotate", "/draw", "bid 20")
        await typist.sees("this is not possible in a local match; it needs a server")
        await typist.sees("a local match is on this device alone")
        await typist.sees("a local match has no tokens")
        await typist.sees("card 20 is not in your hand (bid.spent)")
        typist.type("/resign", "/resign")
        await typist.sees("Match over: random 1 won")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        pytest.param(lambda rng: Furious(), "ValueError: I had a plan", id="raises"),
        pytest.param(Counting, "RejectedError: ", id="plays nonsense"),
        pytest.param(lambda rng: FunctionBot(lambda decision: None, rng), "UnsendableError: ", id="plays nothing"),
    ],
)
async def test_a_bot_that_fails_ends_the_match_with_one_line(make: Callable[[Rng], Bot], why: str) -> None:
    with pytest.raises(ClientError) as failed:
        await play_at(Typist(), table(BotKind(name="odd", game=None, summary="odd", make=make)), "7")
    assert str(failed.value).startswith(f"the bot odd at seat 1 failed: {why}")
    assert "\n" not in str(failed.value)


@pytest.mark.parametrize("wants_notes", [True, False])
async def test_only_bots_that_want_notes_get_them(*, wants_notes: bool) -> None:
    heard: list[tuple[str, ...]] = []

    class Reader:
        def choose(self, decision: Decision) -> Action:
            heard.append(decision.notes)
            return decision.legal[0]

    kind = BotKind(name="reader", game=None, summary="reads", make=lambda rng: Reader(), wants_notes=wants_notes)
    game = load_games().get("graph_battle")
    async with LocalHost(LocalTable(game=game, name="Ada", bots=(kind,), options={}, seat=1), "7") as host:
        await host.begin()
        await until(lambda: bool(heard))
    assert any(note.endswith(" %") for note in heard[0]) is wants_notes
    assert bool(heard[0]) is wants_notes


async def test_a_slow_bot_leaves_the_console_responsive() -> None:
    """It thinks in another process."""
    typist = Typist()
    async with at_the_table(typist, table(replace(RANDOM, is_slow=True), rounds=1, peeks=0)):
        await typist.sees("Your move:")
        typist.type("/help", "1")
        await typist.sees("/legal")
        await until(lambda: "play again:  /rematch" in typist.lines)


async def test_seats_are_dealt_by_the_seed_unless_one_is_chosen() -> None:
    found = set()
    for seed in "abcdefgh":
        async with LocalHost(table(seat=None), seed) as host:
            found.add((await host.begin()).seat)
    assert found == {0, 1}
    async with LocalHost(table(RANDOM, RANDOM, seat=2), "a") as host:
        assert (await host.begin()).seat == 2


@pytest.mark.parametrize(
    ("bots", "seats", "names"),
    [
        pytest.param(None, None, ["greedy"] * 4, id="the usual bot at the usual number of seats"),
        pytest.param("random", 5, ["random"] * 4, id="one bot everywhere"),
        pytest.param("random,greedy", None, ["random", "greedy"], id="as many seats as bots and you"),
        pytest.param("random, greedy", 4, ["random", "greedy", "random"], id="repeated"),
    ],
)
def test_bots_take_the_seats_that_are_left(bots: str | None, seats: int | None, names: list[str]) -> None:
    found = seated("tile_blitz", bots, seats, seat=None, options={}, name="Ada")
    assert [each.name for each in found.bots] == names
    assert found.named == bots


def test_more_bots_than_seats_and_unknown_seats_are_refused() -> None:
    with pytest.raises(OptionsError, match="3 bots and you need 4 seats, not 3"):
        seated("tile_blitz", "random,random,random", 3, seat=None, options={}, name="Ada")
    with pytest.raises(OptionsError, match="there is no seat 2: seats are counted from 0 to 1"):
        seated("strata", None, None, seat=2, options={}, name="Ada")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(["strata", "--bots", "random"], "--bots needs --local", id="bots of a server"),
        pytest.param(["strata", "--seed", "1"], "--seed needs --local", id="a seed for a server"),
        pytest.param(["strata", "--local", "--turn-ms", "500"], "no room and no clock", id="a clock"),
        pytest.param(["strata", "--local", "--room-option", "delay=1"], "no room and no clock", id="a room"),
        pytest.param(["nothing", "--local"], "unknown game 'nothing'", id="no such game"),
        pytest.param(["strata", "--local", "--bots", "deep"], "unknown bot 'deep'", id="no such bot"),
        pytest.param(["strata", "--local", "--seats", "3"], "2 seats", id="too many seats"),
        pytest.param(["strata", "--local", "--option", "luck=1"], "luck", id="no such option"),
    ],
)
def test_what_cannot_be_played_is_one_line_and_usage(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("warroom play: ")
    assert said in line


def test_it_needs_no_server_and_leaves_no_file(tmp_path: Path) -> None:
    command = [str(WARROOM), "play", "strata", "--local", "--url", "ws://127.0.0.1:1/ws", "--seed", "1"]
    environment = {"PATH": "", "XDG_STATE_HOME": str(tmp_path), "USER": "ada"}
    played = subprocess.run(
        command, input="/quit\n", capture_output=True, text=True, check=False, env=environment, timeout=60
    )
    assert (played.returncode, played.stderr) == (0, "")
    assert "Strata against greedy, without a server and without a clock (seed 1)" in played.stdout
    assert list(tmp_path.iterdir()) == []
