"""After a server update: a page reports files that are gone, and reloads."""

from collections.abc import Iterator
from contextlib import contextmanager

from browser import LEGAL, NewPerson, Person, create_room, give_up
from playwright.sync_api import Locator, Page, expect
from server_process import ServerProcess

NOT_THERE = "the server responded with a status of 404"


@contextmanager
def brought_up_to_date(player: Person, part: str) -> Iterator[Locator]:
    """Remove one part of the page from the server for a while; yield the button that helps afterwards."""
    page, files = player.page, f"**/assets/{part}-*.js"
    page.route(files, lambda route: route.fulfill(status=404))
    again = page.get_by_role("button", name="Reload")
    expect(again).to_be_hidden()
    yield again
    expect(again).to_be_visible()
    assert [each for each in player.complaints if NOT_THERE not in each] == []
    assert player.complaints != []  # a browser logs every missing file
    player.complaints.clear()
    page.unroute(files)
    again.click()


def show(page: Page, place: str) -> None:
    page.evaluate("(place) => { location.hash = place; }", place)


def test_a_screen_missing_after_an_update_is_reloaded(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page = player.page
    expect(page.get_by_role("article").first).to_be_visible()
    with brought_up_to_date(player, "matches"):
        page.get_by_role("link", name="Matches", exact=True).click()
        expect(page.get_by_role("heading", name="This part of the page could not be loaded")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Finished matches")
    with brought_up_to_date(player, "calculator"):
        show(page, "#/x/thardferr/battle")
    expect(page.get_by_role("region", name="Report")).to_be_visible()
    with brought_up_to_date(player, "strata"):
        show(page, "#/rules/strata")
    expect(page.get_by_text("Full rules")).to_be_visible()


def test_a_board_missing_after_an_update_is_reloaded_with_its_match(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page = player.page
    with brought_up_to_date(player, "generic"):
        create_room(page, "Sealed Bids")
        expect(page.get_by_role("heading", name="The board could not be loaded")).to_be_visible()
    expect(page.locator(LEGAL).first).to_be_visible()
    give_up(page)
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("region", name="Timeline")).to_be_visible()
    with brought_up_to_date(player, "generic"):
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text("Replay not available")
    expect(page.get_by_role("region", name="Timeline")).to_be_visible()
