"""Counts what one action costs a server, without the C module: `python tests/support/action_costs.py` prints JSON.

A room of five plays the game of 49 tiles on the store in memory, and each number is the median of many moves: Python
calls from the bytes of the action to the last write, modules of the server, messages and states encoded, hashes, frames
built, bytes written, and bytes of the update. With `--bytecodes` it prints those of each function.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from types import CodeType, FrameType
from typing import Any, TypeAlias

sys.modules["warroom_protocol.speedups"] = None  # type: ignore[assignment] # as if it was not built
sys.path.insert(0, str(Path(__file__).parents[2]))

from raw_websocket import RawLine  # noqa: E402
from traced_server import CallRecorder, module_of, traced_servers  # noqa: E402

from warroom_server.app import Server  # noqa: E402
from warroom_server.config import Settings  # noqa: E402

TraceFunction: TypeAlias = Callable[[FrameType, str, Any], Any]
ACTIONS = 1_000
SEATS = 5


class CostRecorder(CallRecorder):
    """Also counts calls of functions in C by their names."""

    def __init__(self) -> None:
        super().__init__()
        self.builtins: Counter[str] = Counter()

    def hear(self, frame: FrameType, event: str, argument: Any) -> None:
        """Take a profile event."""
        super().hear(frame, event, argument)
        if event == "c_call":
            self.builtins[argument.__name__] += 1


class BytecodeCounter:
    """Counts the bytecodes that each function runs."""

    def __init__(self) -> None:
        self.counts: Counter[CodeType] = Counter()

    def trace(self, frame: FrameType, event: str, argument: Any) -> TraceFunction:
        """Take a trace event."""
        if event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        elif event == "opcode":
            self.counts[frame.f_code] += 1
        return self.trace

    def table(self, actions: int) -> str:
        """Return the functions with the most bytecodes per action."""
        rows = [f"{sum(self.counts.values()) / actions:8.0f}  in all"]
        for code, count in self.counts.most_common(50):
            rows.append(f"{count / actions:8.0f}  {Path(code.co_filename).name} {code.co_qualname}")
        return "\n".join(rows) + "\n"


def main() -> None:
    """Play, and print the medians or the bytecodes."""
    with traced_servers(CostRecorder()) as servers, ExitStack() as lines:
        limits: dict[str, Any] = {
            "messages_per_s": 100_000,
            "messages_burst": 100_000,
            "bytes_per_s": 10**7,
            "bytes_burst": 10**7,
        }
        server = servers.start(
            Settings(port=0, admin_port=0, redis="memory://", games=("benchmarks.tiles49:GAME",), bots=False, **limits)
        )
        players = [lines.enter_context(RawLine(server.address.port)) for _ in range(SEATS)]
        room = _sit_down(players)
        if "--bytecodes" in sys.argv:
            counter, idle = BytecodeCounter(), CostRecorder()
            servers.do(lambda: sys.settrace(counter.trace))
            for number in range(1, ACTIONS + 1):
                _costs(players, room, number, server, idle)
            servers.do(lambda: sys.settrace(None))
            sys.stdout.write(counter.table(ACTIONS))
            return
        with servers.recording() as recorder:
            assert isinstance(recorder, CostRecorder)
            costs = [_costs(players, room, number, server, recorder) for number in range(1, ACTIONS + 1)]
    json.dump({name: median(cost[name] for cost in costs) for name in costs[0]}, sys.stdout)


def _sit_down(players: Sequence[RawLine]) -> int:
    for number, player in enumerate(players):
        player.greet(f"Player {number}")
    players[0].say("create", 1, "tiles49", SEATS, {}, {"seating": "as_joined"})
    room: int = players[0].hear_of("created")[2]
    for player in players:
        player.say("join", 2, room)
        player.hear_of("joined")
    for player in players:
        player.hear_of("prompt")
    return room


def _costs(
    players: Sequence[RawLine], room: int, number: int, server: Server, recorder: CostRecorder
) -> dict[str, int]:
    """Let the first player move back and forth between two tiles; return what it cost until everybody knew."""
    recorder.take()
    recorder.builtins.clear()
    traffic, counters = server.listener.traffic, server.node.counters
    frames, written = counters.frames_built, traffic.bytes_out
    move = {"type": "move", "f": number % 2, "t": 1 - number % 2, "n": 1, "k": 1}
    players[0].say("act", room, number, number, move)
    update = players[0].hear_of("update")
    assert players[0].hear_of("verdict")[3] is None, "the move is legal"
    players[0].hear_of("prompt")
    for player in players[1:]:
        player.hear_of("update")
    codes = recorder.take()
    return {
        "calls": len(codes),
        "modules": len({module for code in codes if (module := module_of(code)) is not None}),
        "encodes": recorder.builtins["encode"],
        "hashes": recorder.builtins["openssl_sha256"],
        "frames": counters.frames_built - frames,
        "bytes_out": traffic.bytes_out - written,
        "operations": len(update[3]),
    }


if __name__ == "__main__":
    main()
