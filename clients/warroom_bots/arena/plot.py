"""The plot of a contest as an SVG that reads on light and dark pages: scores and ratings with their uncertainty."""

from collections.abc import Iterator
from html import escape

from msgspec import Struct

from warroom_bots.arena.report import Report, conditions
from warroom_bots.arena.standings import Standing

WIDTH, LEFT, RIGHT = 720, 170, 24
ROW, HEAD, AXIS, GAP = 28, 34, 26, 18
LONGEST_NAME = 22
STYLE = """\
text { font: 13px system-ui, sans-serif; fill: #333 }
.title { font-size: 15px; font-weight: 600 }
.head { font-weight: 600 }
.small { font-size: 11px; fill: #777 }
.grid { stroke: #ddd }
.even { stroke: #999; stroke-dasharray: 3 3 }
.range { stroke: #3f76c0; stroke-width: 6; stroke-linecap: round; opacity: .35 }
.mean { fill: #3f76c0 }
@media (prefers-color-scheme: dark) {
text { fill: #ddd } .small { fill: #999 } .grid { stroke: #444 } .even { stroke: #888 }
.range { stroke: #7ba7e0 } .mean { fill: #7ba7e0 } }"""


class _Dot(Struct, frozen=True):
    name: str
    low: float
    mean: float
    high: float
    text: str


class _Scale(Struct, frozen=True):
    low: float
    high: float

    def x(self, value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - self.low) / (self.high - self.low)


def draw(told: Report) -> str:
    """Return the plot of a report."""
    even = 1 / told.contest.seats
    scores = [_score(standing) for standing in told.standings]
    ratings = [_rating(standing) for standing in sorted(told.standings, key=lambda each: -each.rating)]
    span = _Scale(min(dot.low for dot in ratings) - 1, max(dot.high for dot in ratings) + 1)
    first, second = 58, 58 + HEAD + ROW * len(scores) + AXIS + GAP
    height = second + HEAD + ROW * len(ratings) + AXIS + 8
    label = escape(f"{told.title}: {len(told.results)} matches")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{label}">',
            f"<style>\n{STYLE}\n</style>",
            f'<text class="title" x="12" y="24">{label}</text>',
            f'<text class="small" x="12" y="42">{escape(conditions(told.contest))}</text>',
            *_panel("Share of victories, with 95 % interval", scores, _Scale(0, 1), first, even),
            *_panel("OpenSkill rating, ± 2 sigma", ratings, span, second, None),
            "</svg>",
            "",
        ]
    )


def _score(standing: Standing) -> _Dot:
    score = standing.score
    return _Dot(standing.name, score.low, score.mean, score.high, f"{score.mean:.1%}")


def _rating(standing: Standing) -> _Dot:
    reach = 2 * standing.sigma
    low, high = standing.rating - reach, standing.rating + reach
    return _Dot(standing.name, low, standing.rating, high, f"{standing.rating:.1f}")


def _panel(title: str, dots: list[_Dot], scale: _Scale, top: int, even: float | None) -> Iterator[str]:
    first, last = top + HEAD - 8, top + HEAD + ROW * len(dots)
    yield f'<text class="head" x="12" y="{top + 14}">{escape(title)}</text>'
    for value, text in _ticks(scale):
        x = scale.x(value)
        yield f'<line class="grid" x1="{x:.1f}" y1="{first}" x2="{x:.1f}" y2="{last}"/>'
        yield f'<text class="small" x="{x:.1f}" y="{last + 16}" text-anchor="middle">{text}</text>'
    if even is not None:
        x = scale.x(even)
        yield f'<line class="even" x1="{x:.1f}" y1="{first}" x2="{x:.1f}" y2="{last}"/>'
    for place, dot in enumerate(dots):
        yield from _row(dot, scale, top + HEAD + ROW * place + ROW / 2)


def _row(dot: _Dot, scale: _Scale, y: float) -> Iterator[str]:
    name = dot.name if len(dot.name) <= LONGEST_NAME else f"{dot.name[: LONGEST_NAME - 1]}…"
    yield f'<text x="{LEFT - 14}" y="{y + 4:g}" text-anchor="end">{escape(name)}</text>'
    low, high = scale.x(dot.low), scale.x(dot.high)
    yield f'<line class="range" x1="{low:.1f}" y1="{y:g}" x2="{high:.1f}" y2="{y:g}"/>'
    yield f'<circle class="mean" cx="{scale.x(dot.mean):.1f}" cy="{y:g}" r="5"><title>{dot.text}</title></circle>'
    # The figure stands above the dot, inside the plot at both ends.
    x = min(max(scale.x(dot.mean), LEFT + 16), WIDTH - RIGHT - 16)
    yield f'<text class="small" x="{x:.1f}" y="{y - 8:g}" text-anchor="middle">{dot.text}</text>'


def _ticks(scale: _Scale) -> Iterator[tuple[float, str]]:
    if scale == _Scale(0, 1):
        yield from ((share / 4, f"{share * 25} %") for share in range(5))
        return
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if (scale.high - scale.low) / step <= 10)
    value = -(-scale.low // step) * step
    while value <= scale.high:
        yield value, f"{value:g}"
        value += step
