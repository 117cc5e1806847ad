"""The bot executor: fast bots run in the worker's loop, slow ones in processes, none beyond the turn's time."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from misbehaving_bots import Counting, Deadly, Endless, Laborious, Sluggish, kind
from processes import await_end, commands_below
from wait_until import until

from warroom_bots import bot_executor as module
from warroom_bots.api import Action, Bot, BotKind, Decision
from warroom_bots.bot_executor import NICE, BotExecutor
from warroom_bots.registry import find_bot
from warroom_games.rng import Rng

DECISION = Decision(0, None, None, ({"type": "pass"},), complete=True)
PATIENCE_S = 40.0


@pytest.fixture
def executor() -> Iterator[BotExecutor]:
    """Yield an executor with one process, which ends with the test."""
    place = BotExecutor(1)
    yield place
    place.close()


async def choose(
    executor: BotExecutor, kind: BotKind, bot: Bot, left_s: float | None = None
) -> tuple[Bot, dict[str, int]]:
    async with asyncio.timeout(PATIENCE_S):
        bot, action = await executor.choose(kind, bot, DECISION, left_s)
    assert isinstance(action, dict)
    return bot, action


async def test_a_quick_bot_thinks_in_the_loop(executor: BotExecutor) -> None:
    quick = kind(Counting)
    _, action = await choose(executor, quick, quick.make(Rng(bytes(16))))
    assert (action["count"], action["process"]) == (1, os.getpid())


async def test_a_bot_that_says_that_it_is_slow_thinks_beside_it_and_keeps_its_memory(executor: BotExecutor) -> None:
    slow = kind(Counting, is_slow=True)
    bot = slow.make(Rng(bytes(16)))
    bot, first = await choose(executor, slow, bot)
    bot, second = await choose(executor, slow, bot)
    assert [first["count"], second["count"]] == [1, 2]
    assert first["process"] == second["process"] != os.getpid()
    assert first["nice"] == min(os.nice(0) + NICE, 19)


async def test_a_bot_that_turns_out_to_be_slow_is_sent_out_of_the_loop(executor: BotExecutor) -> None:
    slow = kind(Sluggish)
    bot, action = await choose(executor, slow, slow.make(Rng(bytes(16))))
    assert action["process"] == os.getpid()
    chosen = 1
    while action["process"] == os.getpid():  # until a process was started
        bot, action = await choose(executor, slow, bot)
        chosen += 1
    assert action["count"] == chosen


async def test_a_slow_bot_keeps_no_other_one_waiting(executor: BotExecutor) -> None:
    endless, quick = kind(Endless, is_slow=True), kind(Counting)
    stuck = asyncio.create_task(executor.choose(endless, endless.make(Rng(bytes(16))), DECISION, 20.0))
    await asyncio.sleep(0)
    _, action = await choose(executor, quick, quick.make(Rng(bytes(16))))
    assert action["count"] == 1
    assert not stuck.done()
    stuck.cancel()


async def test_thinking_ends_well_before_the_turn_does_and_a_process_that_hangs_is_replaced(
    executor: BotExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HUNG_S", 0.1)
    warm, endless = kind(Counting, is_slow=True), kind(Endless, is_slow=True)
    _, before = await choose(executor, warm, warm.make(Rng(bytes(16))))
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    with pytest.raises(TimeoutError):
        await executor.choose(endless, endless.make(Rng(bytes(16))), DECISION, 1.0)
    assert loop.time() - began_s < 1.0
    await until(lambda: before["process"] not in commands_below(os.getpid()), within_s=PATIENCE_S)
    _, after = await choose(executor, warm, warm.make(Rng(bytes(16))))
    assert after["process"] not in (before["process"], os.getpid())


async def test_a_process_that_dies_costs_one_decision(executor: BotExecutor) -> None:
    deadly, sane = kind(Deadly, is_slow=True), kind(Counting, is_slow=True)
    with pytest.raises(TimeoutError):
        await choose(executor, deadly, deadly.make(Rng(bytes(16))))
    _, action = await choose(executor, sane, sane.make(Rng(bytes(16))))
    assert action["count"] == 1


@pytest.mark.parametrize("is_slow", [False, True])
async def test_without_a_clock_a_patient_executor_waits_as_long_as_it_takes(
    monkeypatch: pytest.MonkeyPatch, *, is_slow: bool
) -> None:
    monkeypatch.setattr(module, "IN_LOOP_S", 0.1)
    monkeypatch.setattr(module, "LONGEST_S", 0.1)
    patient, laborious = BotExecutor(1, is_patient=True), kind(Laborious, is_slow=is_slow)
    try:
        bot, action = await choose(patient, laborious, laborious.make(Rng(bytes(16))))
        assert (action["count"], action["process"] == os.getpid()) == (11, False)
        assert (await choose(patient, laborious, bot))[1]["count"] == 22
        with pytest.raises(TimeoutError):
            await choose(patient, laborious, bot, 0.1)
    finally:
        patient.close()


async def test_a_bot_that_cannot_be_sent_is_not_interrupted_by_a_patient_executor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "IN_LOOP_S", 0.1)
    bot = Laborious(Rng(bytes(16)))
    bot.memory = (number for number in range(3))  # type: ignore[attr-defined]
    _, action = await choose(BotExecutor(1, is_patient=True), kind(Laborious), bot)
    assert (action["count"], action["process"]) == (11, os.getpid())


SEATS = 6
"""More than a process prefetches, so that some decisions are still queued."""


async def test_seats_whose_thoughts_are_queued_outlive_the_bot_that_hangs(
    executor: BotExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HUNG_S", 0.1)
    sane, endless = kind(Counting, is_slow=True), kind(Endless, is_slow=True)
    await choose(executor, sane, sane.make(Rng(bytes(16))))  # the process is there
    stuck = asyncio.create_task(executor.choose(endless, endless.make(Rng(bytes(16))), DECISION, 0.2))
    await asyncio.sleep(0)
    seats = [asyncio.create_task(choose(executor, sane, sane.make(Rng(bytes(16))))) for _ in range(SEATS)]
    outcomes = await asyncio.gather(stuck, *seats, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [TimeoutError] * (SEATS + 1)
    _, action = await choose(executor, sane, sane.make(Rng(bytes(16))))
    assert action["count"] == 1


async def test_seats_whose_thoughts_are_queued_outlive_a_process_that_dies(executor: BotExecutor) -> None:
    sane, deadly = kind(Counting, is_slow=True), kind(Deadly, is_slow=True)
    bots = [deadly, *[sane] * SEATS]
    seats = [asyncio.create_task(choose(executor, each, each.make(Rng(bytes(16))))) for each in bots]
    outcomes = await asyncio.gather(*seats, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [TimeoutError] * (SEATS + 1)


async def test_a_cancelled_seat_ends_while_its_bot_thinks(executor: BotExecutor) -> None:
    endless = kind(Endless, is_slow=True)
    seats = [
        asyncio.create_task(executor.choose(endless, endless.make(Rng(bytes(16))), DECISION, 20.0))
        for _ in range(SEATS)
    ]
    await asyncio.sleep(0)
    for seat in seats:
        seat.cancel()
    executor.close()
    outcomes = await asyncio.gather(*seats, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [asyncio.CancelledError] * SEATS


async def test_its_processes_are_gone_when_it_is_closed(executor: BotExecutor) -> None:
    slow = kind(Counting, is_slow=True)
    _, action = await choose(executor, slow, slow.make(Rng(bytes(16))))
    executor.close()
    await_end(action["process"])
    assert action["process"] != os.getpid()


FILE_BOT = """
import os
from beside_it import STEP

class Travelling:
    is_slow = True

    def __init__(self, rng):
        self.count = 0

    def choose(self, decision):
        self.count += STEP
        return {"count": self.count, "process": os.getpid()}
"""


async def test_a_slow_bot_from_a_file_thinks_beside_the_loop_with_what_stands_beside_its_file(
    executor: BotExecutor, tmp_path: Path
) -> None:
    (tmp_path / "beside_it.py").write_text("STEP = 2")
    (tmp_path / "travelling.py").write_text(FILE_BOT)
    slow = find_bot("strata", str(tmp_path / "travelling.py"))
    await choose(executor, kind(Counting, is_slow=True), Counting(Rng(bytes(16))))  # a process from before the file
    bot, first = await choose(executor, slow, slow.make(Rng(bytes(16))))
    bot, second = await choose(executor, slow, bot)
    assert [first["count"], second["count"]] == [2, 4]
    assert first["process"] == second["process"] != os.getpid()


async def test_a_slow_function_from_a_file_thinks_beside_the_loop(executor: BotExecutor, tmp_path: Path) -> None:
    source = "import os\ndef choose(decision):\n    return {'process': os.getpid()}\nchoose.is_slow = True\n"
    (tmp_path / "function_bot.py").write_text(source)
    slow = find_bot("strata", str(tmp_path / "function_bot.py"))
    _, action = await choose(executor, slow, slow.make(Rng(bytes(16))))
    assert action["process"] != os.getpid()


class Rooted(Counting):
    """Remembers something that no other process can have."""

    def __init__(self, rng: Rng) -> None:
        super().__init__(rng)
        self.stream = iter(lambda: 1, 0)


async def test_a_slow_bot_that_cannot_be_sent_anywhere_thinks_in_the_loop(
    executor: BotExecutor, caplog: pytest.LogCaptureFixture
) -> None:
    rooted = kind(Rooted, is_slow=True)
    bot = rooted.make(Rng(bytes(16)))
    for count in (1, 2):
        bot, action = await choose(executor, rooted, bot)
        assert (action["count"], action["process"]) == (count, os.getpid())
    assert caplog.text.count("bot stays in the loop") == 1


async def test_an_error_of_a_bot_in_its_process_is_raised(executor: BotExecutor, tmp_path: Path) -> None:
    (tmp_path / "raising.py").write_text("def choose(decision):\n    raise ValueError('lost')\nchoose.is_slow = True\n")
    slow = find_bot("strata", str(tmp_path / "raising.py"))
    with pytest.raises(ValueError, match="lost"):
        await choose(executor, slow, slow.make(Rng(bytes(16))))


async def test_a_bot_that_hangs_in_the_loop_is_interrupted(
    executor: BotExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "IN_LOOP_S", 0.05)
    spinning = kind(Spinning)
    with pytest.raises(TimeoutError):
        await executor.choose(spinning, spinning.make(Rng(bytes(16))), DECISION, 20.0)
    _, action = await choose(executor, kind(Counting), Counting(Rng(bytes(16))))
    assert action["count"] == 1


class Spinning(Counting):
    """Uses all the time there is, and catches what it can."""

    def choose(self, decision: Decision) -> Action:
        """Spin."""
        with suppress(TimeoutError):
            while True:
                self._count += 1
        while True:
            self._count += 1
