"""The battle calculator of Thardferr, in a real browser."""

import re

import pytest
from browser import PHONE, SCHEMES, NewPerson, barriers, game_card
from playwright.sync_api import Locator, expect
from server_process import ServerProcess

PAGE = "/#/x/thardferr/battle"
SIDES = ("attacker", "defender")
WIDTHS = "(all) => all.map((each) => Number(each.getAttribute('width')))"


def assert_charts_are_true(report: Locator) -> None:
    """Compare the lines and bars of a report with the numbers beside them."""
    chart = report.get_by_role("img", name="Units left after each phase")
    words = chart.get_attribute("aria-label") or ""
    told = [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*\d|\d", words)]
    lines = [chart.locator(f".th-{side} polyline").get_attribute("points") or "" for side in SIDES]
    heights = [float(point.split(",")[1]) for line in lines for point in line.split()]
    (least, low), (most, high) = min(zip(told, heights, strict=True)), max(zip(told, heights, strict=True))
    slope = (high - low) / (most - least)
    assert slope < 0  # larger values are higher, and coordinates count from the top
    assert heights == pytest.approx([low + (number - least) * slope for number in told])
    stacks = report.locator(".th-outcome .th-stack")
    bars = [stack.locator(".th-losses rect").evaluate_all(WIDTHS) for stack in stacks.all()]
    assert max(left + gone for left, gone in bars) == pytest.approx(100)
    fallen = [stack.locator(".th-lost").count() for stack in stacks.all()]
    assert [gone > 0 for _, gone in bars] == list(map(bool, fallen))


def test_a_battle_is_fought_as_it_is_composed_and_shared_by_its_address(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page = player.page
    game_card(page, "Thardferr").get_by_role("link", name="Battles").click()
    report = page.get_by_role("region", name="Report")
    expect(report.get_by_role("heading", level=2)).to_contain_text("The attacker wins")
    assert_charts_are_true(report)
    defender = page.get_by_role("group", name="Defender")
    defender.get_by_label("Rusher").fill("900")
    expect(report.get_by_role("heading", level=2)).to_contain_text("The defender wins")
    defender.get_by_label("Strategy").select_option("Quick Retreat")
    page.get_by_label("Rounds").fill("3")
    expect(report.get_by_role("heading", level=2)).to_contain_text("by a quick retreat")
    assert_charts_are_true(report)
    said = report.get_by_role("heading", level=2).inner_text()
    assert barriers(page, *SCHEMES) == []

    stranger = person(site, viewport=PHONE).tab(page.url.removeprefix(player.url))
    expect(stranger.get_by_role("group", name="Defender").get_by_label("Rusher")).to_have_value("900")
    expect(stranger.get_by_role("region", name="Report").get_by_role("heading", level=2)).to_have_text(said)
    assert stranger.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_an_example_fills_both_sides(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).tab(PAGE)
    page.get_by_role("button", name="Pikes against riders").click()
    expect(page.get_by_role("group", name="Attacker").get_by_label("Race")).to_have_value("gnome")
    expect(page.get_by_role("region", name="Report")).to_contain_text("Attacker gnome")
