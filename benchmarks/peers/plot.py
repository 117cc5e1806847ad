"""The plot of a run: what an action costs each server, as an SVG that reads on light and dark pages."""

from html import escape

from benchmarks.peers.results import LoadCost, Run, Spread
from benchmarks.peers.tables import TITLES

WIDTH, LEFT, RIGHT = 760, 240, 130
BAR, GAP, HEAD = 16, 8, 30
PANELS = (
    ("rooms", "200 rooms of 5, saturated: µs of server CPU per action"),
    ("single", "one action at a time: µs of server CPU per action"),
    ("fanout", "1,000 viewers: µs of server CPU per delivered update"),
)
STYLE = """\
text { font: 13px system-ui, sans-serif; fill: #444 }
.head { font-weight: 600 }
.ours { fill: #3f76c0 }
.theirs { fill: #9aa3ad }
.spread { stroke: #444; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) { text { fill: #ccc } .spread { stroke: #ccc } }"""


def draw(run: Run) -> str:
    """Return the plot: bars are medians, thin lines reach from the lowest to the highest round."""
    parts: list[str] = []
    top = 8
    for load, title in PANELS:
        bars = {name: _cost(server.loads[load], load) for name, server in run.servers.items() if load in server.loads}
        if bars:
            parts += _panel(title, bars, top)
            top += HEAD + len(bars) * (BAR + GAP) + 14
    label = "Server CPU of Warroom and its peers"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" role="img" aria-label="{label}">'
    return "\n".join([head, f"<style>\n{STYLE}\n</style>", *parts, "</svg>", ""])


def _cost(cost: LoadCost, load: str) -> Spread:
    return cost.us_per_update if load == "fanout" else cost.us_per_action


def _panel(title: str, bars: dict[str, Spread], top: int) -> list[str]:
    scale = (WIDTH - LEFT - RIGHT) / max(cost.high for cost in bars.values())
    parts = [f'<text class="head" x="8" y="{top + 16}">{escape(title)}</text>']
    ordered = [name for name in TITLES if name in bars]
    for at, name in enumerate(ordered):
        parts += _bar(name, bars[name], scale, top + HEAD + at * (BAR + GAP))
    return parts


def _bar(name: str, cost: Spread, scale: float, y: int) -> list[str]:
    kind = "ours" if name.startswith("warroom") else "theirs"
    middle, base = y + BAR / 2, y + BAR - 3
    low, high = LEFT + cost.low * scale, LEFT + cost.high * scale
    return [
        f'<text x="{LEFT - 8}" y="{base}" text-anchor="end">{escape(TITLES[name])}</text>',
        f'<rect class="{kind}" x="{LEFT}" y="{y}" width="{cost.median * scale:.1f}" height="{BAR}"/>',
        f'<line class="spread" x1="{low:.1f}" y1="{middle:g}" x2="{high:.1f}" y2="{middle:g}"/>',
        f'<text x="{high + 8:.1f}" y="{base}">{cost.median:.1f}</text>',
    ]
