"""Every game in a real browser: played by clicks against bots, from the lobby to the end."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import msgpack
import pytest
from browser import (
    FINGER_PX,
    HOLD,
    LEGAL,
    PHONE,
    SCHEMES,
    NewPerson,
    barriers,
    click_legal,
    create_room,
    give_up,
    reach,
    wait_until,
)
from held_connection import ControlledConnection
from playwright.sync_api import Locator, Page, WebSocket, expect
from server_process import ServerProcess

GAMES = {
    "graph_battle": "Graph Battle",
    "strata": "Strata",
    "thardferr": "Thardferr",
    "tile_blitz": "Tile Blitz",
    "timberwall": "Timberwall",
}
SHORT: dict[str, dict[str, Any]] = {
    "graph_battle": {"max_rounds": "6"},
    "strata": {"max_turns": "16"},
    "thardferr": {"max_turns": "5", "peace_rounds": "0"},
    "tile_blitz": {"max_rounds": "6"},
    "timberwall": {"max_turns": "16", "delay": "0"},
}
"""Options with which a match soon ends by its own rules."""
ENOUGH = 4
"""Number of actions that show that a board is playable."""
MOST_CLICKS = 80
MOST_CLICKS_TO_THE_END = 800
CLICKS_A_TURN = 5
"""Actions after which a turn is ended if possible: random clicks would build forever."""
ENDS = ("End turn", "Pass")
EVENTS = {"update": 4, "private": 6}
"""The position of the events in messages that have any."""


class Verdicts:
    """Counts the verdicts on a page's actions, and keeps the other messages."""

    def __init__(self, page: Page) -> None:
        self.accepted = 0
        self.refused: list[str] = []
        self.heard: list[Any] = []
        page.on("websocket", lambda line: self._listen(line))

    def _listen(self, line: WebSocket) -> None:
        line.on("framereceived", lambda frame: self._hear(frame))

    def _hear(self, frame: str | bytes) -> None:
        message = msgpack.unpackb(frame) if isinstance(frame, bytes) else [""]
        self.heard.append(message)
        if message[0] != "verdict":
            return
        if message[3] is None:
            self.accepted += 1
        else:
            self.refused.append(f"{message[3]}: {message[4]}")

    def event(self, page: Page, field: str) -> dict[str, Any]:
        """Return the last event with some field; wait for the first one."""

        def found() -> list[dict[str, Any]]:
            events = [event for message in self.heard if message[0] in EVENTS for event in message[EVENTS[message[0]]]]
            return [event for event in events if field in event]

        wait_until(page, lambda: bool(found()))
        return found()[-1]


def click_on(page: Page, verdicts: Verdicts, enough: int, most_clicks: int) -> None:
    """Click legal targets until *enough* were played or the match is over."""
    over = page.get_by_role("button", name="Rematch")
    for click in range(most_clicks):
        expect(page.locator(LEGAL).or_(over).first).to_be_visible()
        if verdicts.accepted >= enough or over.is_visible():
            return
        is_time_to_end = click % CLICKS_A_TURN == CLICKS_A_TURN - 1
        click_legal(page, click * 7, rather=ENDS if is_time_to_end else ())
    raise AssertionError(f"after {most_clicks} clicks {verdicts.accepted} actions were accepted")


def out_of_reach(page: Page) -> list[str]:
    """Return the playable targets that the keyboard cannot reach."""
    unreached: list[str] = page.locator(LEGAL).evaluate_all(
        """(all) => all
            .filter((each) => each.focus() ?? (document.activeElement !== each || each.tabIndex < 0))
            .map((each) => each.outerHTML.slice(0, 200))"""
    )
    return unreached


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_by_clicks_on_a_board_for_everybody(
    site: ServerProcess, person: NewPerson, game: str
) -> None:
    page = person(site).page
    verdicts, line = Verdicts(page), ControlledConnection(page)
    page.reload()  # opens the connection again, now observed
    line.stop("legal")
    create_room(page, GAMES[game])
    wait_until(page, lambda: "legal" in [message[0] for message in line.heard])
    expect(page.locator("[data-board] .button[aria-disabled=true]").first).to_be_visible()
    assert page.locator(LEGAL).count() == 0  # the page does not know yet what is legal
    line.go_on()
    click_on(page, verdicts, ENOUGH, MOST_CLICKS)
    assert verdicts.refused == []
    assert out_of_reach(page) == []
    assert barriers(page, *SCHEMES) == []
    give_up(page)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_real_end_and_replayed(site: ServerProcess, person: NewPerson, game: str) -> None:
    page = person(site).page
    verdicts = Verdicts(page)
    page.reload()
    create_room(page, GAMES[game], **SHORT[game])
    click_on(page, verdicts, MOST_CLICKS_TO_THE_END, MOST_CLICKS_TO_THE_END)
    assert verdicts.refused == []
    expect(page.get_by_text(re.compile(r"won\.|share first place\.")).first).to_be_visible()
    expect(page.get_by_role("list", name="Seats")).to_contain_text("1st")
    page.get_by_role("link", name="Replay").click()
    expect(page.locator(".seal summary")).to_have_text("✓ verified")
    page.get_by_role("button", name="Last step").click()
    expect(page.locator("[data-board]")).not_to_be_empty()
    assert barriers(page, *SCHEMES) == []


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_match_and_its_rules_fit_a_phone(site: ServerProcess, person: NewPerson, game: str) -> None:
    page = person(site, viewport=PHONE).page
    verdicts = Verdicts(page)
    page.reload()
    create_room(page, GAMES[game])
    click_on(page, verdicts, ENOUGH, MOST_CLICKS)
    assert verdicts.refused == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.get_by_role("tab", name="Rules").click()
    expect(page.get_by_text("Full rules")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert barriers(page, *SCHEMES) == []


TARGETS = {
    "graph_battle": "svg .gb-reach",
    "strata": "svg .st-area",
    "tile_blitz": "svg .tb-ring",
}
"""The parts of a drawn board that are as wide as their click target."""


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == "graph_battle" else pytest.mark.long) for game in TARGETS]
)
def test_drawn_targets_are_wide_enough_for_fingers(site: ServerProcess, person: NewPerson, game: str) -> None:
    page = person(site, viewport=PHONE).page
    create_room(page, GAMES[game], seating="as joined")
    expect(page.locator(LEGAL).first).to_be_visible()
    assert min(reach(page.locator(TARGETS[game]))) >= FINGER_PX


class Opening(NamedTuple):
    """What can be done on a board in the first own turn."""

    compose: Callable[[Page], Locator]
    """Compose an order; return the element that shows it."""
    play: Callable[[Page], None]
    """Play an animated action."""
    moving: str
    """The animated elements."""
    options: dict[str, Any]


def choose(page: Page, what: str) -> Locator:
    page.locator(f"{what}{LEGAL}").first.click()
    return page.locator("[data-board] [aria-pressed=true]")


def attack_a_node(page: Page) -> None:
    choose(page, "svg .gb-choice")
    page.locator("svg .gb-target").first.click()


def place_a_piece(page: Page) -> None:
    choose(page, "svg .st-choice")
    page.get_by_role("button", name="Place a piece").click()


def spread_the_peasants(page: Page) -> Locator:
    page.get_by_role("tab", name="Work").click()
    page.get_by_role("button", name="Even spread").click()
    return page.locator(".th-tabs .tag")


def attack_a_kingdom(page: Page) -> None:
    page.get_by_role("tab", name="War").click()
    page.get_by_role("button", name=re.compile("^Attack .*…$")).click()
    page.get_by_role("button", name=re.compile("^Attack with")).click()


def reinforce_a_tile(page: Page) -> None:
    choose(page, "svg .tb-own")
    page.get_by_role("button", name=re.compile(r"^\+\d+ troops")).click()


def muster_a_march(page: Page) -> Locator:
    reinforce_a_tile(page)  # gives a unit that can move
    page.get_by_role("button", name="Move…").click()
    return page.locator(".tb-going")


def deploy_a_unit(page: Page) -> None:
    page.get_by_label("Deploy a unit of").select_option(index=1)
    page.locator("svg .tw-aim-deploy").first.click()


OPENINGS = {
    "graph_battle": Opening(lambda page: choose(page, "svg .gb-choice"), attack_a_node, ".gb-effects .gb-former", {}),
    "strata": Opening(lambda page: choose(page, "svg .st-choice"), place_a_piece, ".st-effects .st-wave", {}),
    "thardferr": Opening(
        spread_the_peasants,
        attack_a_kingdom,
        ".th-news .th-appears",
        {"race_1": "human", "race_2": "human", "peace_rounds": "0"},
    ),
    "tile_blitz": Opening(muster_a_march, reinforce_a_tile, ".tb-effects .tb-told", {}),
    "timberwall": Opening(lambda page: choose(page, "svg .tw-choice"), deploy_a_unit, ".tw-effects .tw-told", {}),
}

PHASES = {"range": "Arrows", "short": "First clash", "melee": "Melee"}
DELAYS = "(all) => all.map((each) => parseFloat(getComputedStyle(each).animationDelay))"


def coins_fall(page: Page, verdicts: Verdicts) -> None:
    flips = verdicts.event(page, "flips")["flips"]
    coins = page.locator(".gb-effects .gb-coin")
    expect(coins).to_have_class([re.compile(f"gb-coin-{flip}$") for flip in flips])
    fall_in_turn(coins)


def phases_follow(page: Page, verdicts: Verdicts) -> None:
    clashes = verdicts.event(page, "clashes")["clashes"]
    phases = page.locator(".th-tabs + div .th-news .th-phase")  # at a place that moves no click target
    expect(phases.locator("h4")).to_have_text([re.compile(f"^{PHASES[clash['phase']]}") for clash in clashes])
    fall_in_turn(phases)


def battles_rest(page: Page) -> None:
    """Play another action, which must not change a battle on show."""
    spread_the_peasants(page)
    page.get_by_role("button", name="Assign").click()
    expect(page.get_by_role("log", name="Log")).to_contain_text("You send peasants to work")
    expect(page.locator(".th-news .th-phase").first).to_be_visible()
    expect(page.locator(".th-news .th-appears")).to_have_count(0)


def fall_in_turn(shown: Locator) -> None:
    delays = shown.evaluate_all(DELAYS)
    assert delays == sorted(set(delays))


SHOWN: dict[str, Callable[[Page, Verdicts], None]] = {"graph_battle": coins_fall, "thardferr": phases_follow}
"""Compares animations with the server's events."""

IN_VAIN = {
    "graph_battle": ("svg .gb-node:not(.gb-choice)", "Not yours|strength 2 or more|No enemy is next"),
    "strata": ("svg .st-vertex:not(.st-choice)", "Place pieces on your home corners|Not yours"),
    "thardferr": (".th-raze:not([data-legal])", "None built"),
    "tile_blitz": ("svg .tb-tile:not(.tb-own)", "Choose one of your own tiles first"),
    "timberwall": ("svg .tw-area", "[Cc]hoose one of your units first"),
}
"""Where to click for an impossible action in the first turn, and the page's answer."""


LIGHTS_UP = {
    "graph_battle": ("svg .gb-choice", ".gb-halo"),
    "strata": ("svg .st-choice", ".st-halo"),
    "tile_blitz": ("svg .tb-own", ".tb-ring"),
    "timberwall": ("svg .tw-choice", ".tw-halo"),
}
"""What can be chosen on a drawn board in the first turn, and its part that lights up under the mouse."""
LOOK = "(each) => { const { stroke, strokeDasharray } = getComputedStyle(each); return stroke + strokeDasharray; }"


def light_up(page: Page, game: str) -> None:
    choice, part = LIGHTS_UP[game]
    target = page.locator(choice).first
    page.mouse.move(0, 0)
    before = target.locator(part).evaluate(LOOK)
    target.hover()
    wait_until(page, lambda: target.locator(part).evaluate(LOOK) != before)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_targets_light_up_impossible_ones_explain_themselves_and_drafts_can_be_undone(
    site: ServerProcess, person: NewPerson, game: str
) -> None:
    page = person(site).page
    opening = OPENINGS[game]
    create_room(page, GAMES[game], seating="as joined", **opening.options)
    expect(page.locator(LEGAL).first).to_be_visible()
    if game in LIGHTS_UP:
        light_up(page, game)
    vain, why_not = IN_VAIN[game]
    page.locator(vain).first.click(force=game == "thardferr")  # forced where the button is disabled
    expect(page.locator("[data-board] .refusal")).to_have_text(re.compile(why_not))
    expect(page.locator("[data-board] .refusal")).to_be_in_viewport()
    composed = opening.compose(page)
    expect(composed).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(composed).to_have_count(0)


def test_tile_blitz_shows_the_next_two_players(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).page
    create_room(page, GAMES["tile_blitz"], seating="as joined")
    expect(page.locator(".tb-next")).to_have_text(re.compile(r"^Next: (.+), then \1 again$"))
    page.get_by_role("button", name="End turn").click()
    expect(page.locator(".tb-next")).to_have_text(re.compile(r"^Next: you again, then .+$"))


@pytest.mark.long
def test_a_march_is_shown_walking_its_way(site: ServerProcess, person: NewPerson) -> None:
    page = person(site, reduced_motion="no-preference").page
    verdicts = Verdicts(page)
    page.add_init_script(HOLD)
    page.reload()
    create_room(page, "Tile Blitz", seating="as joined")
    choose(page, "svg .tb-own")
    page.locator("svg .tb-target").first.click()  # a second target tile
    expect(page.locator("svg .tb-own, svg .tb-chosen")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator("svg .tb-own")).to_have_count(2)
    muster_a_march(page)
    page.evaluate("isHeld = true")
    page.locator("svg .tb-way").first.click()
    walk = page.locator(".tb-effects .tb-walk")
    expect(walk).not_to_have_css("animation-name", "none")
    points = (walk.get_attribute("points") or "").split()
    assert len(points) == len(verdicts.event(page, "path")["path"])


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == "graph_battle" else pytest.mark.long) for game in GAMES]
)
def test_steps_are_animated_until_the_user_skips_them(site: ServerProcess, person: NewPerson, game: str) -> None:
    page = person(site, reduced_motion="no-preference").page
    opening, verdicts = OPENINGS[game], Verdicts(page)
    page.add_init_script(HOLD)
    page.reload()
    create_room(page, GAMES[game], seating="as joined", **opening.options)
    expect(page.locator(LEGAL).first).to_be_visible()
    page.evaluate("isHeld = true")
    opening.play(page)
    moving, skip = page.locator(opening.moving), page.get_by_role("button", name="Skip", exact=True)
    expect(moving.first).not_to_have_css("animation-name", "none")
    if game in SHOWN:
        SHOWN[game](page, verdicts)
    expect(page.locator(".clock.mine")).to_be_visible()  # the page knows everything by now, and shows less
    expect(page.locator(LEGAL)).to_have_count(0)
    skip.click()
    expect(skip).to_be_hidden()
    expect(moving).to_have_count(0)
    expect(page.locator(LEGAL).first).to_be_visible()
    if game == "thardferr":
        battles_rest(page)


def test_news_of_a_battle_are_there_until_they_are_put_away(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).page
    create_room(page, "Thardferr", seating="as joined", **OPENINGS["thardferr"].options)
    expect(page.locator(LEGAL).first).to_be_visible()
    attack_a_kingdom(page)
    phases = page.locator(".th-news .th-phase")
    expect(phases.first).to_be_visible()
    page.get_by_role("link", name="Matches", exact=True).click()
    expect(phases).to_have_count(0)
    page.go_back()
    expect(phases.first).to_be_visible()
    page.reload()
    expect(phases.first).to_be_visible()
    page.get_by_role("button", name="Dismiss the news").click()
    expect(phases).to_have_count(0)
    page.reload()
    page.get_by_role("tab", name="Chronicle").click()
    # The battle is no longer news; it is folded if another one was fought meanwhile.
    expect(page.locator(".th-phase").first).to_be_attached()
    expect(phases).to_have_count(0)


def test_razing_a_building_asks_for_confirmation(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).page
    create_room(page, "Thardferr", seating="as joined", race_1="human", race_2="human")
    raze = page.locator("li").filter(has_text="House").get_by_role("button", name=re.compile("aze one House$"))
    log = page.get_by_role("log", name="Log")
    expect(raze).to_have_attribute("data-legal", "true")
    raze.click()
    expect(raze).to_have_text("Sure?")
    page.get_by_role("button", name="Build House: 1", exact=True).click()
    expect(log).to_contain_text(re.compile("You build 1 . house"))
    expect(raze).to_have_text("Raze")
    raze.click()
    expect(raze).to_have_text("Sure?")
    expect(log).not_to_contain_text("You raze")
    raze.click()
    expect(log).to_contain_text(re.compile("You raze 1 . house"))
    expect(raze).to_have_text("Raze")


def test_a_strategy_that_comes_while_an_order_is_on_its_way_is_answered(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).page
    line = ControlledConnection(page)
    page.reload()  # opens the connection again, now under control
    create_room(page, "Thardferr", seating="as joined", race_1="human", race_2="human")
    build = page.get_by_role("button", name="Build House: 1", exact=True)
    expect(build).to_have_attribute("data-legal", "true")
    line.stop()
    build.click()
    page.get_by_role("tab", name="Army").click()
    strategy = page.get_by_label("Defend with")
    strategy.select_option("Quick Retreat")
    expect(page.locator("[data-board] .refusal")).to_have_text("An order is being sent; choose again in a moment.")
    expect(strategy).to_have_value("")
    line.go_on()
    expect(page.get_by_role("button", name="End turn")).to_have_attribute("data-legal", "true")
    strategy.select_option("Quick Retreat")
    expect(page.get_by_role("log", name="Log")).to_contain_text("You defend with Quick Retreat")
