"""The ways to each other: a quick match, a code, a link, a name; and the pages that a game brings."""

from browser import NewPerson, create_room, game_card
from playwright.sync_api import expect
from server_process import ServerProcess


def test_two_people_in_a_hurry_meet(site: ServerProcess, person: NewPerson) -> None:
    pages = [person(site).page for _ in range(2)]
    for page in pages:
        game_card(page, "Sealed Bids").get_by_role("button", name="Play now").click()
    for page in pages:
        expect(page.locator("[data-legal]").first).to_be_visible()
    codes = {page.url.split("/r/")[1] for page in pages}
    assert len(codes) == 1


def test_a_name_is_changed_and_a_room_found_by_its_typed_code(site: ServerProcess, person: NewPerson) -> None:
    ada, bob = person(site).page, person(site).page
    ada.get_by_role("button", name="Your name").click()
    ada.get_by_role("dialog").get_by_role("textbox").fill("Ada of Typing")
    ada.get_by_role("button", name="Save").click()
    expect(ada.get_by_role("button", name="Your name: Ada of Typing")).to_be_visible()
    create_room(ada, "Sealed Bids", fill=False)
    expect(bob.get_by_label("Rooms")).to_contain_text("Ada of Typing")
    bob.get_by_label("Join by code or link").fill("nonsense")
    bob.get_by_role("button", name="Go", exact=True).click()
    expect(bob.locator(".note.bad")).to_contain_text("no code of a room")
    code = ada.locator(".big-code").inner_text()
    bob.get_by_label("Join by code or link").fill(f" {code.upper()} ")
    bob.get_by_role("button", name="Go", exact=True).click()
    bob.get_by_role("button", name="Take a seat").click()
    for page in (ada, bob):
        expect(page.locator("[data-legal]").first).to_be_visible()
    expect(bob.get_by_role("list", name="Seats")).to_contain_text("Ada of Typing")


def test_a_link_to_a_room_without_spectators_asks_before_it_takes_a_seat_if_there_is_one(
    site: ServerProcess, person: NewPerson
) -> None:
    ada, bob = person(site), person(site)
    create_room(ada.page, "Sealed Bids", fill=False, watch="nobody")
    guest = bob.tab(ada.page.url.removeprefix(ada.url))
    expect(guest.get_by_role("heading", level=1)).to_have_text("A room without spectators")
    expect(ada.page.get_by_text("Waiting for 1 more player.")).to_be_visible()
    guest.get_by_role("button", name="Take a seat").click()
    expect(guest.locator("[data-legal]").first).to_be_visible()
    guest.reload()  # whoever sits there is not asked again
    expect(guest.locator("[data-legal]").first).to_be_visible()
    late = person(site).page
    late.goto(ada.page.url)
    late.get_by_role("button", name="Take a seat").click()
    expect(late.get_by_role("heading", level=1)).to_have_text("This room cannot be entered")
    expect(late.get_by_text("The match has begun, so no new player may sit down.")).to_be_visible()
