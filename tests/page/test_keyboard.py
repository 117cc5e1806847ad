"""Every game without a mouse: from the lobby into a match, and one whole decision, by keyboard alone."""

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from browser import LEGAL, NewPerson, create_room
from keyboard_user import Keyboard
from playwright.sync_api import Locator, expect
from server_process import ServerProcess


class Decision(NamedTuple):
    """What is decided by keyboard in the first own turn."""

    game: str
    make: Callable[[Keyboard], None]


def lit(keys: Keyboard, what: str) -> Locator:
    """Return the drawn targets that can be chosen now; none until the server has answered."""
    return keys.page.locator(f"[data-board] svg {what}{LEGAL}")


def chosen(keys: Keyboard) -> Locator:
    return keys.page.locator("[data-board] svg [aria-pressed=true]")


def tells(keys: Keyboard, text: str | re.Pattern[str]) -> None:
    """Expect that an action was done, and that the focus is still at the board."""
    expect(keys.page.get_by_role("log", name="Log")).to_contain_text(text)
    expect(keys.page.locator("[data-board]:focus-within")).to_have_count(1)


def end_turn(keys: Keyboard, *, back: bool = False) -> None:
    clock = keys.page.get_by_role("timer")
    turn = int(clock.inner_text().split()[1])
    keys.use(keys.button("End turn"), back=back)
    expect(clock).to_contain_text(re.compile(rf"Turn (?!{turn}\b)"))
    keys.stay_at_orders()


def attack_a_node(keys: Keyboard) -> None:
    keys.use(lit(keys, ".gb-choice"))
    expect(chosen(keys)).to_have_count(1)
    keys.press("Escape")
    expect(chosen(keys)).to_have_count(0)
    keys.press("Enter")
    keys.use(lit(keys, ".gb-target"), "Space")
    tells(keys, "You attacked")
    end_turn(keys)


def place_infuse_and_move(keys: Keyboard) -> None:
    for order, said in (("Place a piece", "You placed a piece on"), ("Infuse energy", "You infused")):
        keys.use(lit(keys, ".st-choice"))
        keys.use(keys.button(order))
        tells(keys, said)
        keys.stay_at_orders()
    keys.use(lit(keys, ".st-choice"))
    keys.use(lit(keys, ".st-target"))
    tells(keys, "You moved from")
    end_turn(keys)


def rule_a_kingdom(keys: Keyboard) -> None:
    keys.use(keys.button("Rule the gnomes"))
    keys.use(keys.button("Build House: 1"))
    tells(keys, re.compile("You build 1 . house"))
    keys.stay_at_orders()
    expect(keys.button("Build House: 1")).to_be_focused()
    keys.reach(keys.page.get_by_role("tab", name="Build"), back=True)
    keys.press("ArrowRight", "ArrowRight")
    keys.use(keys.page.get_by_label(re.compile("^Farms")), "ArrowLeft")
    keys.use(keys.button("Undo"))
    keys.use(keys.page.get_by_label(re.compile("^Mines")), "ArrowLeft", back=True)
    keys.use(keys.button("Assign"))
    tells(keys, "You send peasants to work")
    keys.stay_at_orders()
    end_turn(keys, back=True)


def reinforce_and_attack(keys: Keyboard) -> None:
    keys.use(lit(keys, ".tb-own"))
    refusal = keys.page.locator("[data-board] .refusal")
    keys.page.locator("svg .tb-tile:not(.tb-own, .tb-chosen, .tb-target)").last.press("Enter")
    expect(refusal).to_have_count(1)
    keys.use(keys.button(re.compile(r"^\+1$")))
    tells(keys, "You put")
    expect(refusal).to_have_count(0)  # it was about something else
    keys.stay_at_orders()
    keys.use(keys.button(re.compile(r"^\+\d+ troop")))
    expect(keys.page.locator(".tb-means b").first).to_have_text("0")
    keys.stay_at_orders()
    keys.use(lit(keys, ".tb-target"), "Space")
    tells(keys, "You attacked")
    end_turn(keys)


def deploy_and_move(keys: Keyboard) -> None:
    keys.use(keys.page.get_by_label("Deploy a unit of"), "ArrowDown")
    keys.use(lit(keys, ".tw-aim-deploy"), back=True)
    tells(keys, "You deployed 1 at")
    keys.use(lit(keys, ".tw-choice"))
    keys.use(lit(keys, ".tw-aim"))
    tells(keys, "You moved")


DECISIONS = {
    "graph_battle": Decision("Graph Battle", attack_a_node),
    "strata": Decision("Strata", place_infuse_and_move),
    "thardferr": Decision("Thardferr", rule_a_kingdom),
    "tile_blitz": Decision("Tile Blitz", reinforce_and_attack),
    "timberwall": Decision("Timberwall", deploy_and_move),
}


@pytest.mark.parametrize("game", DECISIONS)
def test_a_whole_turn_is_played_without_a_mouse(site: ServerProcess, person: NewPerson, game: str) -> None:
    decision = DECISIONS[game]
    page = person(site).page
    keys = Keyboard(page)
    if game == "graph_battle":
        keys.create_room(decision.game, seating="as joined")
    else:
        create_room(page, decision.game, seating="as joined")
    expect(page.locator(LEGAL).first).to_be_visible()
    decision.make(keys)
