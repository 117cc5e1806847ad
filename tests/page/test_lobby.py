"""Ways into a match: quick match, room list, form, code, link; and the player's name."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from browser import LEGAL, PHONE, NewPerson, create_room, game_card, open_form, wait_until
from held_connection import ControlledConnection
from playwright.sync_api import expect
from server_process import SEALED_BIDS, ServerProcess
from wait_until import until

from warroom_client import Client, Refreshed, Updated

A_LIST = 100
"""Page size of the server's room list."""
AT_ONCE = 50
"""Maximum number of pending requests."""


def create_rooms(site: ServerProcess, first_s: int, *, then: int = 0) -> str:
    """Create a room with this turn time, *then* usual ones, on an own connection; return its code."""

    async def create() -> str:
        async with Client(site.url) as client:
            first = await client.create("sealed_bids", room_options={"turn_ms": first_s * 1000})
            for done in range(0, then, AT_ONCE):
                await asyncio.gather(*(client.create("sealed_bids") for _ in range(done, min(then, done + AT_ONCE))))
            return first.code

    # Playwright has its own loop in this thread.
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(asyncio.run, create()).result()


def test_two_people_in_a_hurry_meet(site: ServerProcess, person: NewPerson) -> None:
    pages = [person(site).page for _ in range(2)]
    for page in pages:  # a game for two: nobody has to wait for a bot
        game_card(page, "Strata").get_by_role("button", name="Play now").click()
    for page in pages:
        expect(page.get_by_role("timer")).to_be_visible()
    codes = {page.url.split("/r/")[1] for page in pages}
    assert len(codes) == 1


NOTE_STRIPS = """() => {
    window.strips = 0;
    new MutationObserver(() => { window.strips += document.querySelectorAll(".line-strip").length; })
        .observe(document.body, { childList: true, subtree: true });
}"""


def test_a_name_is_changed_and_a_room_found_by_its_typed_code(site: ServerProcess, person: NewPerson) -> None:
    adas, bob = person(site), person(site).page
    ada = adas.page
    ada.evaluate(NOTE_STRIPS)
    ada.get_by_role("button", name="Your name").click()
    ada.get_by_role("dialog").get_by_role("textbox").fill("Ada of Typing")
    ada.get_by_role("button", name="Save").click()
    expect(ada.get_by_role("button", name="Your name: Ada of Typing")).to_be_visible()
    assert ada.evaluate("window.strips") == 0  # no connection is broken
    create_room(ada, "Sealed Bids", fill=False)
    expect(bob.get_by_label("Rooms")).to_contain_text("Ada of Typing")
    again = adas.tab()  # a seated player is not asked to join
    for page, way in ((bob, "Join"), (again, "Return")):
        row = page.get_by_role("listitem").filter(has_text="Ada of Typing")
        expect(row.get_by_role("button").or_(row.get_by_role("link"))).to_have_text([way])
    row.get_by_role("link").focus()
    bob.get_by_label("Join by code or link").fill("nonsense")
    bob.get_by_role("button", name="Go", exact=True).click()
    expect(bob.locator("form .refusal")).to_contain_text("not a room code")
    code = ada.locator(".big-code").inner_text()
    bob.get_by_label("Join by code or link").fill(f" {code.upper()} ")
    expect(bob.locator("form .refusal")).to_have_count(0)
    bob.get_by_role("button", name="Go", exact=True).click()
    bob.get_by_role("button", name="Take a seat").click()
    for page in (ada, bob):
        expect(page.locator(LEGAL).first).to_be_visible()
    expect(bob.get_by_role("list", name="Seats")).to_contain_text("Ada of Typing")
    expect(again.get_by_role("region", name="Waiting for players")).to_be_focused()  # where the row was


def test_a_private_room_is_in_no_list_and_two_people_meet_there_by_its_link_play_and_talk(
    site: ServerProcess, person: NewPerson
) -> None:
    ada, bob = person(site), person(site)
    create_room(ada.page, "Sealed Bids", fill=False, private=True)
    link = ada.page.get_by_label("Link to this room").input_value()
    guest = bob.page
    create_rooms(site, 55)  # a player who sees this room would also see the other
    expect(guest.get_by_label("Rooms")).to_contain_text("55 s")
    ours = ada.page.get_by_role("button", name="Your name").inner_text().strip()
    expect(guest.get_by_label("Rooms")).not_to_contain_text(ours)
    ada.page.get_by_role("link", name="Play", exact=True).click()
    ada.page.get_by_role("listitem").filter(has_text=ours).get_by_role("link", name="Return").click()
    expect(ada.page.get_by_label("Link to this room")).to_have_value(link)
    listed = {room["code"]: room["turn_ms"] for room in json.loads(site.get("/api/rooms"))}
    code = link.rpartition("/")[2].partition("-")[0]
    assert 55_000 in listed.values()
    assert code not in listed
    guest.goto(link.partition("-")[0])  # the code without the key
    expect(guest.get_by_role("heading", level=1)).to_have_text("You cannot enter this room")
    guest.goto(link)
    guest.get_by_role("button", name="Take a seat").click()
    for page in (ada.page, guest):
        expect(page.get_by_role("timer")).to_be_visible()
        page.locator(LEGAL).first.click()
    expect(ada.page.get_by_role("log", name="Log")).to_contain_text("Resolved")
    guest.get_by_role("tab", name="Chat").click()
    guest.get_by_label("Message").fill("Well played!")
    guest.get_by_role("button", name="Say").click()
    ada.page.get_by_role("tab", name="Chat").click()
    expect(ada.page.get_by_role("log", name="Conversation")).to_contain_text("Well played!")


UPPER_EDGE, LOWER_EDGE = (
    f"(which) => document.querySelector(which).getBoundingClientRect().{edge}" for edge in ("top", "bottom")
)


def test_what_comes_and_goes_in_a_lobby_moves_nothing_below_it(
    new_site: Callable[..., ServerProcess], person: NewPerson
) -> None:
    site = new_site(*SEALED_BIDS)
    page = person(site, viewport=PHONE).page
    waiting = page.get_by_role("region", name="Waiting for players")
    expect(waiting).to_contain_text("No open games.")
    below = page.evaluate(UPPER_EDGE, "#recent-title")
    create_rooms(site, 55, then=4)
    expect(waiting.get_by_role("listitem")).to_have_count(5)
    assert page.evaluate(UPPER_EDGE, "#recent-title") == below


def test_a_ranking_has_its_place_before_it_comes(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page = player.context.new_page()
    line = ControlledConnection(page)
    line.stop("games")
    page.goto(f"{player.url}/#/ranking")
    games = page.get_by_role("navigation", name="Games")
    expect(page.locator("main > .bone")).to_be_visible()
    below = page.evaluate(LOWER_EDGE, "main nav")
    wait_until(page, lambda: any(told[0] == "games" for told in line.heard))
    line.go_on()
    expect(games.get_by_role("link", name="Strata")).to_be_visible()
    assert page.evaluate(LOWER_EDGE, "main nav") == below


def play_as_bots(site: ServerProcess, game: str) -> None:
    """Let one bot win against another, and wait until the match is rated."""

    async def play() -> None:
        async with Client(site.url, name="Deep", bot="deep") as deep, Client(site.url, name="Wide", bot="mine") as wide:
            room = await deep.join((await deep.create(game, seats=2)).code)
            lost = await wide.join(room.number)
            async for event in lost:
                if isinstance(event, Updated | Refreshed):
                    await lost.resign()
                    break

            async def is_rated() -> bool:
                return (await wide.ranking(game, bots=True)).size == 2

            await until(is_rated, within_s=20)

    with ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(asyncio.run, play()).result()


def test_bots_that_played_each_other_have_a_ladder_of_their_own(site: ServerProcess, person: NewPerson) -> None:
    play_as_bots(site, "strata")
    page = person(site, viewport=PHONE).tab("/#/ranking/strata")
    ladders = page.get_by_role("navigation", name="Ladders")
    expect(ladders.get_by_role("link", name="People")).to_have_attribute("aria-current", "true")
    expect(page.get_by_text("Deep")).to_have_count(0)
    ladders.get_by_role("link", name="Bots").click()
    bots = page.get_by_role("region", name="Bots")
    expect(bots.get_by_role("row").nth(1)).to_contain_text("Deep")
    expect(bots.get_by_role("row").nth(2)).to_contain_text("mine")
    assert bots.evaluate("(each) => each.scrollWidth <= each.clientWidth")
    page.get_by_role("navigation", name="Games").get_by_role("link", name="Timberwall").click()
    expect(page.get_by_text("No rated bots yet.")).to_be_visible()
    assert page.url.endswith("/#/ranking/timberwall/bots")
    page.reload()
    expect(ladders.get_by_role("link", name="Bots")).to_have_attribute("aria-current", "true")


def test_a_user_on_another_screen_sees_the_seat_note_above_the_orders(site: ServerProcess, person: NewPerson) -> None:
    player = person(site, viewport=PHONE)
    page = player.context.new_page()
    line = ControlledConnection(page)
    page.goto(player.url)
    line.stop("created")
    for game in ("Graph Battle", "Strata"):
        game_card(page, game).get_by_role("button", name="Against bots").click()
    page.get_by_role("link", name="Ranking").click()
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text("Ranking")
    line.go_on()
    notes = page.locator(".note").filter(has_text="Your seat is ready.")
    expect(notes).to_have_count(2)
    expect(title).to_have_text("Ranking")

    notes.first.get_by_role("link", name="Open").click()
    expect(notes).to_have_count(1)  # it leads to the other match
    expect(page.locator(".orders")).to_be_in_viewport()
    assert page.evaluate(LOWER_EDGE, ".note") <= page.evaluate(UPPER_EDGE, ".orders")
    notes.get_by_role("link", name="Open").click()
    expect(notes).to_have_count(0)


def test_a_refusal_shows_at_its_button_unless_that_may_vanish(site: ServerProcess, person: NewPerson) -> None:
    create_rooms(site, 66)
    player = person(site)
    page = player.context.new_page()
    line = ControlledConnection(page)
    line.falsify(lambda told: ["error", told[1], "room.full", "no"] if told[0] in ("created", "joined") else None)
    page.goto(player.url)
    row = page.get_by_role("region", name="Waiting for players").get_by_role("listitem").filter(has_text="66 s")
    card = game_card(page, "Graph Battle")
    card.get_by_role("button", name="Play now").click()
    expect(card.locator(".refusal")).to_have_text("No.")
    expect(page.locator(".note")).to_have_count(0)
    row.get_by_role("button", name="Join").click()
    expect(page.locator(".note.bad")).to_contain_text("No.")


def test_a_room_that_waits_says_when_bots_come(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).page
    create_room(page, "Strata", fill=False, fill_after="60")
    expect(page.locator(".banner")).to_contain_text("Waiting for 1 more player.")
    expect(page.locator(".banner")).to_contain_text("Bots fill the open seats after 60 s.")


SELECTED = "() => { const at = document.activeElement; return at.value.slice(at.selectionStart, at.selectionEnd); }"


def test_the_link_to_a_room_is_copied_where_a_page_has_no_clipboard(site: ServerProcess, person: NewPerson) -> None:
    page = person(site, from_afar=True).page
    create_room(page, "Sealed Bids", fill=False)
    assert page.evaluate("navigator.clipboard") is None
    link = page.get_by_label("Link to this room")
    address = link.input_value()
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    page.goto(f"{address.partition('#')[0]}#/")
    typed = page.get_by_label("Join by code or link")
    typed.press("Control+v")
    expect(typed).to_have_value(address)

    page.goto(address)
    page.evaluate("document.execCommand = () => false")  # as in a browser that forbids even that
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Select and copy")).to_be_visible()
    assert page.evaluate(SELECTED) == address


def test_a_link_to_a_room_without_spectators_asks_before_it_takes_a_seat_if_there_is_one(
    site: ServerProcess, person: NewPerson
) -> None:
    ada, bob = person(site), person(site)
    create_room(ada.page, "Sealed Bids", fill=False, watch="nobody")
    guest = bob.context.new_page()
    line = ControlledConnection(guest)
    guest.goto(ada.page.url)
    expect(guest.get_by_role("heading", level=1)).to_have_text("No spectators")
    expect(ada.page.get_by_text("Waiting for 1 more player.")).to_be_visible()
    line.falsify_once(lambda told: ["error", told[1], "room.busy", "not now"] if told[0] == "joined" else None)
    guest.get_by_role("button", name="Take a seat").click()
    expect(guest.locator("main .refusal")).to_have_text("Not now.")
    guest.get_by_role("button", name="Take a seat").click()
    expect(guest.locator(LEGAL).first).to_be_visible()
    guest.reload()  # a seated player is not asked again
    expect(guest.locator(LEGAL).first).to_be_visible()
    late = person(site).page
    late.goto(ada.page.url)
    late.get_by_role("button", name="Take a seat").click()
    expect(late.get_by_role("heading", level=1)).to_have_text("You cannot enter this room")
    expect(late.get_by_text("The match has begun, so no new player may sit down.")).to_be_visible()


@pytest.mark.long
def test_all_rooms_are_found_however_many_there_are(new_site: Callable[..., ServerProcess], person: NewPerson) -> None:
    site = new_site("--no-bots", *SEALED_BIDS)
    oldest = create_rooms(site, 77, then=A_LIST - 1)
    page = person(site).page
    waiting = page.get_by_role("region", name="Waiting for players").get_by_role("listitem")
    more = page.get_by_role("button", name="More rooms")
    expect(waiting).to_have_count(A_LIST)
    expect(waiting.last).to_contain_text("77 s")
    more.click()
    expect(more).to_be_hidden()  # there were exactly as many

    create_rooms(site, 88, then=4)
    expect(waiting.nth(4)).to_contain_text("88 s")
    expect(waiting).to_have_count(A_LIST + 5)  # waiting rooms are found without a click, whatever else there is
    expect(waiting.last).to_contain_text("77 s")
    more.click()
    expect(more).to_be_hidden()
    expect(waiting).to_have_count(A_LIST + 5)
    expect(waiting.last).to_contain_text("77 s")

    create_rooms(site, 99)  # pushes another room out of the live list
    expect(waiting.first).to_contain_text("99 s")
    expect(waiting).to_have_count(A_LIST + 6)
    expect(waiting.last).to_contain_text("77 s")

    expect(waiting.last).to_contain_text("0/3")
    person(site).tab(f"/#/r/{oldest}").get_by_role("button", name="Take a seat").click()
    expect(waiting.last).to_contain_text("1/3")


def test_a_cancelled_creation_leads_nowhere(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page = player.context.new_page()
    line = ControlledConnection(page)
    page.goto(player.url)
    line.stop("created")
    dialog = open_form(page, "Graph Battle")
    dialog.get_by_role("checkbox", name="fill with bots").check()
    dialog.get_by_role("button", name="Create and join").click()
    wait_until(page, lambda: any(told[0] == "created" for told in line.heard))
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    other = open_form(page, "Timberwall")
    line.go_on()
    wait_until(page, lambda: any(said[0] == "leave" for said in line.said))
    expect(other.get_by_role("button", name="Create and join")).to_be_visible()
    page.keyboard.press("Escape")
    assert not any(said[0] == "fill" for said in line.said)
    expect(page.get_by_role("heading", level=1)).to_have_text("Choose a game")
    expect(page.locator(".note")).to_have_count(0)


def test_a_refused_form_stays_open_with_its_input_and_the_reason(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).page
    dialog = open_form(page, "Graph Battle")
    create = dialog.get_by_role("button", name="Create and join")
    players, watch, delay = (dialog.get_by_label(name, exact=True) for name in ("players", "watch", "delay"))
    players.fill("3")
    watch.select_option("all")
    delay.fill("0")
    create.click()
    expect(dialog.locator(".refusal")).to_contain_text(
        "all needs a delay of at least 3 turns in a room of 3 seats, got 0"
    )
    expect(players).to_have_value("3")
    expect(watch).to_have_value('"all"')

    delay.fill("51")
    dialog.get_by_text("Room options").click()
    expect(delay).to_be_hidden()
    create.click()
    expect(delay).to_be_focused()  # the browser shows the valid range there
    delay.fill("50")
    create.click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("list", name="Seats").get_by_role("listitem")).to_have_count(3)
