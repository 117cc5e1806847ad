"""Between players: kicks, stand-ins, pauses, draws, rematches, chat."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from browser import DESK, PHONE, NewPerson, create_room
from held_connection import ControlledConnection
from playwright.sync_api import Page, expect
from server_process import ServerProcess

pytestmark = pytest.mark.long

PAUSED = re.compile(r"^Paused by agreement\. It ends in \d+:\d\d\.$")
SEATS, BOT = 3, 5
"""Positions in a `seats` message, and of a seat's bot and stand-in flag."""
TOP_OF_BOARD = "document.querySelector('[data-board]').getBoundingClientRect().top"


def two_at_a_table(
    site: ServerProcess, person: NewPerson, viewport: dict[str, int] = DESK, **options: Any
) -> tuple[Page, Page]:
    """Let one player, on a screen of any size, create a room for Graph Battle, and another join it."""
    host, guest = person(site, viewport=viewport).page, person(site).page
    create_room(host, "Graph Battle", fill=False, **options)
    guest.goto(host.url)
    guest.get_by_role("button", name="Take a seat").click()
    return host, guest


def refused(kind: str) -> Callable[[Any], Any]:
    """Return a function that turns all answers of one kind into refusals."""
    return lambda told: ["error", told[1], "room.busy", "no"] if told[0] == kind else None


def press(page: Page, name: str) -> None:
    if page.viewport_size == PHONE:
        page.locator(".fold").click()  # opens the menu with all offers
    page.get_by_role("button", name=re.compile(name)).click()


def test_a_kicked_player_may_watch_but_not_rejoin(site: ServerProcess, person: NewPerson) -> None:
    host, guest = two_at_a_table(site, person, players="3")
    expect(host.get_by_text("Waiting for 1 more player.")).to_be_visible()
    press(host, "^Remove .*$")
    expect(host.get_by_text("Waiting for 2 more players.")).to_be_visible()
    expect(guest.get_by_text("watching", exact=True)).to_be_visible()
    expect(guest.get_by_role("log", name="Log")).to_contain_text("The host has removed you from your seat")
    press(guest, "^Take a seat$")
    expect(guest.locator(".banner .refusal")).to_have_text("The host has removed you from this room.")
    expect(guest.get_by_role("button", name="Take a seat")).not_to_have_class(re.compile("main"))
    expect(guest.locator(".note")).to_have_count(0)
    expect(host.get_by_text("Waiting for 2 more players.")).to_be_visible()


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_a_refusal_shows_where_the_button_was(site: ServerProcess, person: NewPerson, viewport: dict[str, int]) -> None:
    player = person(site, viewport=viewport)
    page = player.context.new_page()
    line = ControlledConnection(page)
    page.goto(player.url)
    create_room(page, "Graph Battle", fill=False)
    guest = person(site).page
    guest.goto(page.url)
    guest.get_by_role("button", name="Take a seat").click()
    line.falsify(refused("done"))
    press(page, "^Offer a pause$")
    expect(page.locator(".terms .refusal")).to_be_visible()  # on a phone too, where success would close the menu
    line.be_true()
    page.get_by_role("button", name="Resign…").click()
    page.get_by_role("button", name="Yes, resign").click()
    rematch = page.get_by_role("button", name="Rematch")
    expect(rematch).to_be_visible()
    line.falsify(refused("done"))
    rematch.click()
    expect(page.locator(".banner .refusal")).to_have_text("No.")
    expect(page.locator(".note")).to_have_count(0)
    line.cut()  # a new connection clears the error
    expect(page.locator(".refusal")).to_have_count(0)


def test_a_refused_kick_is_reported_below_the_seats(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page = player.context.new_page()
    line = ControlledConnection(page)
    page.goto(player.url)
    create_room(page, "Graph Battle", fill=False, players="3")
    guest = person(site).page
    guest.goto(page.url)
    guest.get_by_role("button", name="Take a seat").click()
    line.falsify(refused("done"))
    press(page, "^Remove .*$")
    expect(page.locator(".seats + .trouble")).to_have_text("No.")
    expect(page.locator(".note")).to_have_count(0)


def test_a_player_is_muted_and_unmuted_by_keyboard(site: ServerProcess, person: NewPerson) -> None:
    one, other = two_at_a_table(site, person)
    talk = one.get_by_role("tab", name=re.compile("^Chat"))
    lines = one.get_by_role("log", name="Conversation")
    name = other.get_by_role("button", name="Your name").inner_text().strip()

    def say(page: Page, *texts: str) -> None:
        for text in texts:
            page.get_by_label("Message").fill(text)
            page.get_by_label("Message").press("Enter")
            expect(page.get_by_role("log", name="Conversation")).to_contain_text(text)

    other.get_by_role("tab", name="Chat").click()
    say(other, "Hello!", "Bla.")
    talk.click()
    say(one, "Hush.")
    buttons = lines.get_by_role("button")
    expect(buttons).to_have_accessible_name(
        f"mute {name}"
    )  # only at the last message of a player, and at none of the own
    lines.focus()
    one.keyboard.press("Tab")
    expect(buttons).to_be_focused()
    one.keyboard.press("Enter")
    expect(lines).to_contain_text(f"2 messages from {name} hidden")
    expect(lines).not_to_contain_text("Hello!")
    expect(buttons).to_be_focused()
    one.get_by_role("tab", name="Log").click()
    say(other, "Bla bla.")
    other.get_by_role("tab", name="Log").click()
    talk.click()
    expect(lines).to_contain_text("3 messages")
    expect(lines).to_contain_text("Hush.")

    one.reload()
    expect(talk).to_have_text("Chat1")  # muted messages are not counted
    other.get_by_role("tab", name="Chat").click()
    talk.click()
    say(other, "Still here.")
    expect(lines).to_contain_text(f"4 messages from {name} hidden")
    buttons.click()
    expect(lines).to_contain_text("Still here.")


def test_players_agree_on_a_pause_on_going_on_and_on_a_draw(site: ServerProcess, person: NewPerson) -> None:
    one, other = pages = two_at_a_table(site, person, PHONE, seating="as joined")
    orders = one.get_by_role("button", name="End turn")
    expect(orders).to_be_enabled()
    top = one.evaluate(TOP_OF_BOARD)
    press(one, "^Offer a pause$")
    press(other, "^Agree to a pause$")
    for page in pages:
        expect(page.get_by_text(PAUSED)).to_be_visible()
    press(other, "^Offer to resume$")
    expect(one.get_by_role("button", name="Resume?")).to_be_visible()
    expect(one.locator(".head > .quiet")).to_have_css("visibility", "hidden")  # that button is there now
    assert one.evaluate(TOP_OF_BOARD) == top  # whatever is shown above it
    press(one, "^Agree to resume$")
    for page in pages:
        expect(page.get_by_text(PAUSED)).to_be_hidden()

    press(one, "^Resign…$")
    one.keyboard.press("Escape")
    one.locator(".fold").click()
    expect(one.get_by_role("button", name="Resign…")).to_be_visible()  # after doubts the question appears again
    one.keyboard.press("Escape")
    expect(other.locator(".terms")).to_have_css("overflow", "visible")  # otherwise the focus ring would be clipped

    press(one, "^Offer a draw$")
    expect(other.get_by_role("button", name="Agree to a draw")).to_be_visible()
    press(one, "^Withdraw: a draw$")
    expect(other.get_by_role("button", name="Offer a draw")).to_be_visible()
    press(other, "^Offer a draw$")
    expect(one.get_by_role("button", name="Draw?")).to_be_visible()
    press(one, "^Agree to a draw$")
    for page in pages:
        expect(page.get_by_text("Draw. Agreed by the players.")).to_be_visible()
        expect(page.get_by_text("won.")).to_have_count(0)
        expect(page.locator("[data-board]")).to_contain_text("The match is over.")
    expect(orders).to_have_count(0)


def test_after_a_match_there_are_a_rematch_a_place_in_the_ranking_and_a_row_in_the_list(
    site: ServerProcess, person: NewPerson
) -> None:
    one, other = pages = two_at_a_table(site, person)
    names = [page.get_by_role("button", name="Your name").inner_text().strip() for page in pages]
    press(one, "^Resign…$")
    press(one, "^Yes, resign$")
    first = one.url
    expect(other.get_by_text("You won.")).to_be_visible()
    press(one, "^Rematch$")
    press(other, "^Accept rematch$")
    for page in pages:
        press(page, "^Go to the rematch$")
    for page in pages:
        expect(page.get_by_role("timer")).to_be_visible()
        expect(page.get_by_text("watching", exact=True)).to_be_hidden()
    assert first != one.url == other.url

    other.get_by_role("link", name="Matches", exact=True).click()
    other.get_by_label("only my matches").check()
    rows = other.get_by_role("listitem").filter(has_text=names[0])
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text(f"1st {names[1]}")
    other.get_by_role("link", name="Ranking", exact=True).click()
    other.get_by_role("navigation", name="Games").get_by_role("link", name="Graph Battle").click()
    expect(other.get_by_role("main")).to_contain_text(names[1])
    players = person(site, viewport=PHONE).tab("/#/ranking/graph_battle").get_by_role("region", name="Players")
    expect(players).to_contain_text(names[1])
    assert players.evaluate("(each) => each.scrollWidth <= each.clientWidth")


def test_a_bot_stands_in_for_an_absent_player_and_leaves_on_return(site: ServerProcess, person: NewPerson) -> None:
    one, other = two_at_a_table(site, person, grace="1", seating="as joined")
    expect(other.get_by_role("timer")).to_be_visible()
    seats = other.get_by_role("list", name="Seats")
    place = one.url
    one.goto("about:blank")
    expect(seats).to_contain_text("is playing")
    one.goto(place)
    expect(seats).not_to_contain_text("is playing")
    expect(one.get_by_text("watching", exact=True)).to_be_hidden()


def test_reclaiming_a_seat_is_announced_when_it_is_done(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page = player.context.new_page()
    line = ControlledConnection(page)
    page.goto(player.url)

    def stood_in(told: Any) -> Any:
        """A bot stands in and returns the seat at the next turn, which never comes."""
        match told:
            case ["error", ref, "seat.no_bot", _]:
                return ["done", ref]
            case ["seats", *rest]:
                seats = [[*seat[:BOT], "greedy", True, *seat[BOT + 2 :]] for seat in rest[SEATS]]
                return ["seats", *rest[:SEATS], seats, *rest[SEATS + 1 :]]
            case _:
                return None

    line.falsify(stood_in)
    create_room(page, "Graph Battle")
    banner = page.locator(".banner")
    expect(banner).to_have_text("Bot greedy is playing for you. Take over")
    page.get_by_role("button", name="Take over").click()
    expect(banner).to_have_text("Bot greedy is playing for you. You take over with the next turn.")
