"""The board of Timberwall: fog, walls, forests, progress, and moves."""

import re
from itertools import groupby, product

import pytest
from browser import HOLD, LEGAL, NewPerson, create_room
from playwright.sync_api import Locator, Page, expect
from server_process import ServerProcess

from warroom_games.timberwall.units import MAX_POINTS, tier

SIZE = 10
FORESTS = 10
SIGHT_OF_BASE, SIGHT_OF_UNIT = 3, 2

Tile = tuple[int, int]

BASES: dict[str, Tile] = {"green": (1, 1), "red": (SIZE - 2, SIZE - 2)}

TILES_UNDER = """(all) => all.flatMap((each) => {
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(each.getAttribute(name)));
    return Array.from({ length: width / height }, (_, right) => [x / height + right, y / height]);
})"""

STOP = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { animation-play-state: paused !important }");
    document.adoptedStyleSheets = [sheet];
    isHeld = true;
}"""
"""Freezes every animation that starts from now on."""


def covered(page: Page, by: str) -> set[Tile]:
    """Return the tiles under one kind of fog."""
    return {(x, y) for x, y in page.locator(f"svg .tw-fog .{by}").evaluate_all(TILES_UNDER)}


def near(tile: Tile, distance: int) -> set[Tile]:
    """Return the tiles of the field within a distance."""
    across, down = (range(max(0, at - distance), min(SIZE, at + distance + 1)) for at in tile)
    return set(product(across, down))


def places(page: Page, side: str) -> list[Tile]:
    """Return the positions of a side's units."""
    labels = page.locator("svg .tw-unit").evaluate_all("(all) => all.map((each) => each.getAttribute('aria-label'))")
    found = (re.match(rf"{side} unit at (\d+), (\d+):", label) for label in labels)
    return [(int(match[1]), int(match[2])) for match in found if match]


def in_sight(page: Page, side: str) -> set[Tile]:
    """Return the tiles that a side sees, by the rules."""
    units = [near(place, SIGHT_OF_UNIT) for place in places(page, side)]
    return near(BASES[side], SIGHT_OF_BASE).union(*units)


def begin(page: Page) -> str:
    """Start a match against a bot, wait for the first turn, and return the own colour."""
    create_room(page, "Timberwall", seating="as joined")
    expect(page.locator("svg .tw-choice").first).to_be_visible()
    label = page.locator("svg .tw-choice").first.get_attribute("aria-label") or ""
    return label.split()[0]


def choose_who_can_move(page: Page) -> Locator:
    """Choose a unit, and return its targets."""
    moves = page.locator("svg .tw-aim-move")
    for unit in page.locator("svg .tw-choice").all():
        label = unit.get_attribute("aria-label")
        page.locator(f'svg .tw-unit[aria-label="{label}"]').click()
        expect(page.locator("svg .tw-chosen")).to_have_attribute("aria-label", label or "")
        if moves.count():
            return moves
    raise AssertionError("no unit can move")


def test_the_field_shows_fog_walls_forests_and_how_near_each_side_is_to_victory(
    site: ServerProcess, person: NewPerson
) -> None:
    page = person(site).page
    side = begin(page)
    field = set(product(range(SIZE), range(SIZE)))
    seen = in_sight(page, side)
    assert covered(page, "tw-unknown") == field - seen
    assert covered(page, "tw-dim") == set()

    choose_who_can_move(page).first.focus()
    page.keyboard.press("Escape")
    expect(page.get_by_role("group", name="The board")).to_be_focused()  # the focused element is gone
    move = choose_who_can_move(page).first
    there = (move.get_attribute("aria-label") or "").removeprefix("Move to ")
    move.click()
    expect(page.locator(f'svg .tw-unit[aria-label*=" at {there}:"]')).to_be_visible()
    now = in_sight(page, side)
    assert covered(page, "tw-unknown") == field - seen - now
    assert covered(page, "tw-dim") == seen - now

    assert page.locator("svg .tw-neutral").count() >= FORESTS
    assert page.locator("svg .tw-walls .tw-wall").count() == 0
    expect(page.locator("svg .tw-fog ~ .tw-forest:not(:has(.tw-tree))")).to_have_count(FORESTS)
    expect(page.locator("svg .tw-base text")).to_have_text(["100", "100"])
    for bar in ("base 100 of 100", f"forests 0 of {FORESTS}"):
        expect(page.get_by_role("img", name=bar)).to_have_count(len(BASES))

    expect(page.get_by_role("button", name="Pass", exact=True)).to_be_enabled()
    page.get_by_role("button", name="Wall…").click(force=True)  # it only answers now
    expect(page.locator(".tw-orders .refusal")).to_contain_text("A wall costs 10 wood, and you have 0")


@pytest.mark.long
def test_the_rules_are_drawn(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).page
    create_room(page, "Timberwall", fill=False)  # a waiting player sees the others
    rules = page.locator(".waiting-rules .tw-rules")
    expect(rules.get_by_role("img", name=re.compile(r"^Tier \d$"))).to_have_count(4)
    tiers = groupby(range(1, MAX_POINTS + 1), tier)
    ranges = [(number, list(points)) for number, points in tiers]
    expect(rules.locator(".tw-card b")).to_have_text(
        [f"Tier {number}: {points[0]} to {points[-1]} points" for number, points in ranges]
    )
    grown = [forest.locator(".tw-tree").count() for forest in rules.locator(".tw-forest").all()]
    assert grown == [0, 1, 2, 3]
    colours = rules.locator(".tw-legend i").evaluate_all(
        "(all) => all.map((each) => getComputedStyle(each).background)"
    )
    assert len(set(colours)) == len(BASES) + 1
    expect(rules.locator(".tw-base text")).to_have_text(["100", "60", "25"])
    expect(rules.get_by_role("img", name=re.compile(r"^(green|red) \d+ of 10$"))).to_have_count(len(BASES))
    expect(rules.get_by_role("img", name="held all 7 of 10")).to_be_visible()
    expect(rules.locator(".tw-luck")).to_have_text(["CRIT +2", "MISS -2"])
    expect(rules.locator(".tw-shield")).to_have_count(1)


def begin_in_motion(page: Page) -> str:
    """Start a match in which everything is animated until `STOP`; return the own colour."""
    page.add_init_script(HOLD)
    page.reload()
    return begin(page)


@pytest.mark.long
def test_a_unit_that_walks_is_drawn_once(site: ServerProcess, person: NewPerson) -> None:
    page = person(site, reduced_motion="no-preference").page
    side = begin_in_motion(page)
    moves, everybody = choose_who_can_move(page), len(places(page, side))
    page.evaluate(STOP)
    moves.first.click()
    walker, arriving = page.locator(".tw-effects .tw-walker"), page.locator("svg .tw-arriving")
    expect(walker).to_have_css("animation-name", "tw-walker")
    expect(walker).to_have_css("visibility", "visible")
    expect(arriving).to_have_css("visibility", "hidden")
    assert len(places(page, side)) == everybody
    page.get_by_role("button", name="Skip", exact=True).click()
    expect(page.locator(LEGAL).first).to_be_visible()
    expect(walker).to_have_count(0)
    expect(arriving).to_have_count(0)


@pytest.mark.long
def test_a_wall_that_is_hit_is_shown(site: ServerProcess, person: NewPerson) -> None:
    page = person(site, reduced_motion="no-preference").page
    x, y = BASES[begin_in_motion(page)]
    page.get_by_label("Deploy a unit of").select_option(index=1)
    beside = [f"{x + 1}, {y}", f"{x - 1}, {y}", f"{x}, {y + 1}", f"{x}, {y - 1}"]
    free = page.locator(",".join(f'svg [aria-label="Deploy at {place}"]' for place in beside)).first
    there = (free.get_attribute("aria-label") or "").removeprefix("Deploy at ")
    free.click()
    page.locator(f'svg .tw-choice[aria-label*=" at {there}:"]').click()
    page.evaluate(STOP)
    page.locator("svg .tw-edge-hit_wall").first.press("Enter")
    expect(page.locator(".tw-effects .tw-struck")).to_have_css("animation-name", "tw-falling")
    expect(page.locator(".tw-effects .tw-told")).to_have_text("\N{MINUS SIGN}100")
