"""The tables of a run: the same rows for the terminal and for docs/PERFORMANCE.md."""

from collections.abc import Iterator, Sequence

from benchmarks.peers.results import FIGURES, RATIOS, Goal, LoadCost, Run, Spread

TITLES = {
    "warroom_memory": "Warroom, memory store",
    "warroom_embedded": "Warroom, embedded store",
    "warroom_python": "Warroom without C, memory store",
    "colyseus": "Colyseus",
    "boardgameio": "boardgame.io",
    "limit": "C, the limit",
}
"""The servers in the order of the tables."""
NOTHING = "-"
Rows = list[list[str]]
"""The head first."""


def ratio_rows(run: Run) -> Rows:
    """Return each ratio with its goal."""
    rows = [["server CPU, ratio within a round", "median", "lowest to highest", "goal", "then"]]
    for ratio in RATIOS:
        found = run.ratios.get(ratio.name)
        spread = [NOTHING] * 2 if found is None else [f"{found.median:.2f}", f"{found.low:.2f} to {found.high:.2f}"]
        rows.append([ratio.title, *spread, *_goal_cells(ratio.goal, None if found is None else found.median)])
    return rows


def figure_rows(run: Run) -> Rows:
    """Return each figure of Warroom alone with its goal."""
    rows = [["Warroom alone", "measured", "goal", "then"]]
    for figure in FIGURES:
        found = run.figures.get(figure.name)
        measured = NOTHING if found is None else f"{found:.2f}"
        rows.append([figure.title, measured, *_goal_cells(figure.goal, found)])
    return rows


def _goal_cells(goal: Goal | None, found: float | None) -> list[str]:
    if goal is None:
        return [NOTHING] * 2
    result = "" if found is None else ", met" if found <= goal.now else ", missed"
    return [f"{goal.now:g}{result}", f"{goal.later:g}"]


def server_rows(run: Run) -> Rows:
    """Return what each server cost."""
    rows = [
        [
            "µs of server CPU",
            "per action, 200 rooms",
            "store, per action",
            "actions/s",
            "per action, one at a time",
            "per update, 1,000 viewers",
            "bytes per update",
            "kB per connection",
        ]
    ]
    for name, title in TITLES.items():
        if (server := run.servers.get(name)) is not None:
            rooms, single, fanout = (server.loads.get(load) for load in ("rooms", "single", "fanout"))
            rows.append([title, *_room_cells(rooms), *_cost_cells(single, fanout), *_size_cells(rooms)])
            rows[-1].append(f"{server.kb_per_connection:.1f}")
    return rows


def _room_cells(rooms: LoadCost | None) -> list[str]:
    if rooms is None:
        return [NOTHING] * 3
    store = rooms.store_us_per_action.median
    return [_spread(rooms.us_per_action), f"{store:.1f}" if store else NOTHING, f"{rooms.actions_per_s.median:,.0f}"]


def _cost_cells(single: LoadCost | None, fanout: LoadCost | None) -> list[str]:
    return [
        NOTHING if single is None else _spread(single.us_per_action),
        NOTHING if fanout is None else _spread(fanout.us_per_update),
    ]


def _size_cells(rooms: LoadCost | None) -> list[str]:
    return [NOTHING if rooms is None else f"{rooms.bytes_per_update.median:.0f}"]


def _spread(spread: Spread) -> str:
    return f"{spread.median:.1f} ({spread.low:.1f} to {spread.high:.1f})"


def game_rows(run: Run) -> Rows:
    """Return what an action of each game costs, and how fast its rules are."""
    rows = [["game", "seats", "µs of server CPU per action", "store", "actions/s", "play-outs/s on one core"]]
    playouts = {playout.game: playout.matches_per_s for playout in run.playouts}
    for game in run.games:
        rate = playouts.get(game.game)
        cells = [f"{game.us_per_action:.0f}", f"{game.store_us_per_action:.0f}", f"{game.actions_per_s:,.0f}"]
        rows.append([game.game, str(game.seats), *cells, NOTHING if rate is None else f"{rate:,.0f}"])
    return rows


def growth_rows(run: Run) -> Rows:
    """Return how the cost of an action grows."""
    rows = [["Warroom, memory store", "µs of server CPU per action"]]
    rows += [[f"after {length:,} entries", f"{cost:.1f}"] for length, cost in run.growth.by_entries.items()]
    rows += [[f"with {count:,} rooms, of which 10 play", f"{cost:.1f}"] for count, cost in run.growth.by_rooms.items()]
    return rows


def deadline_rows(run: Run) -> Rows:
    """Return how late deadlines are judged, and how a wave of resumes went."""
    rows = [["under many clients", "measured"]]
    if (late := run.deadlines) is not None:
        rows += [
            [f"{late.rooms:,} clocks of 5 s: turns that expire per second", f"{late.expired_per_s:,.0f}"],
            [
                "judged after deadline and credit, p50 / p99 / longest, ms",
                _three(late.p50_ms, late.p99_ms, late.longest_ms),
            ],
            ["known to the player by its own clock, p50 / p99, ms", f"{late.seen_p50_ms:.1f} / {late.seen_p99_ms:.1f}"],
            ["judged early", str(late.early)],
            ["server CPU, of one core", f"{late.server_cpu_share:.0%}"],
        ]
    if (back := run.resumes) is not None:
        rows += [
            [f"{back.clients:,} clients reconnect at once: all back, s", f"{back.all_back_s:.2f}"],
            ["of these resumed without a snapshot", f"{back.resumed:,}"],
            ["server CPU for it, s", f"{back.server_cpu_s:.2f}"],
        ]
    return rows


def _three(*values: float) -> str:
    return " / ".join(f"{value:.1f}" for value in values)


def profile_rows(run: Run) -> Rows:
    """Return where the time goes."""
    lines = [] if run.profile is None else run.profile.lines
    rows = [["module or function", "own time", "calls per action"]]
    rows += [[f"`{line.module}`", f"{line.share:.1%}", f"{line.calls_per_action:g}"] for line in lines]
    return rows


def all_tables(run: Run) -> Iterator[Rows]:
    """Yield the tables that have rows, without the profile."""
    for build in (ratio_rows, figure_rows, server_rows, deadline_rows, game_rows, growth_rows):
        rows = build(run)
        if len(rows) > 1:
            yield rows


def as_text(rows: Rows) -> str:
    """Return a table for the terminal."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(_text_line(row, widths) for row in rows)


def _text_line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (
        f"{cell:<{width}}" if at == 0 else f"{cell:>{width}}"
        for at, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join([first, *others]).rstrip()


def as_markdown(rows: Rows) -> str:
    """Return a table for a document."""
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
