"""The battle calculator of Thardferr, in a real browser."""

from browser import PHONE, SCHEMES, NewPerson, barriers, game_card
from playwright.sync_api import expect
from server_process import ServerProcess

PAGE = "/#/x/thardferr/battle"


def test_a_battle_is_fought_as_it_is_composed_and_shared_by_its_address(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page = player.page
    game_card(page, "Thardferr").get_by_role("link", name="Battles").click()
    report = page.get_by_role("region", name="Report")
    expect(report.get_by_role("heading", level=2)).to_contain_text("The attacker wins")
    defender = page.get_by_role("group", name="Defender")
    defender.get_by_label("Rusher").fill("900")
    expect(report.get_by_role("heading", level=2)).to_contain_text("The defender wins")
    defender.get_by_label("Strategy").select_option("Quick Retreat")
    page.get_by_label("Rounds").fill("3")
    expect(report.get_by_role("heading", level=2)).to_contain_text("by a quick retreat")
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
