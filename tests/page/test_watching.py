"""Watching: several matches side by side, and a delayed one."""

import re
from typing import Any

from browser import LEGAL, NewPerson, create_room
from held_connection import ControlledConnection
from playwright.sync_api import Page, expect
from server_process import ServerProcess

PLAYER = 3
"""The position of the player in a `welcome`."""


def running(number: int, player: str) -> list[Any]:
    """Return a match as a list shows it, one turn late."""
    seats, turn_ms = 2, 20_000
    about = [number, f"000000{number}", "graph_battle", "playing", seats, seats, 0, turn_ms]
    return [*about, [[player, "Somebody", None]], "all", 1, False]


def end_turn(page: Page) -> None:
    page.locator(LEGAL).get_by_text("End turn", exact=True).click()


def test_several_matches_are_watched_side_by_side(site: ServerProcess, person: NewPerson) -> None:
    players = [person(site).page for _ in range(2)]
    for page, game in zip(players, ("Graph Battle", "Sealed Bids"), strict=True):
        create_room(page, game)
    visitor = person(site)
    stranger = visitor.context.new_page()
    line = ControlledConnection(stranger)
    stranger.goto(f"{visitor.url}/#/watch")
    for page in players:
        code = page.url.split("/r/")[1]
        row = stranger.get_by_role("listitem").filter(has=stranger.locator(f'a[href="#/r/{code}"]'))
        row.get_by_role("button", name="Show here").click()
        expect(row.get_by_role("button", name="Hide")).to_be_visible()
    graph = stranger.get_by_role("region", name="Graph Battle")
    bids = stranger.get_by_role("region", name="Sealed Bids")
    expect(graph.get_by_role("timer")).to_be_visible()
    expect(bids.get_by_role("timer")).to_be_visible()
    before = graph.get_by_role("timer").inner_text().split()[:2]
    end_turn(players[0])
    expect(graph.get_by_role("timer")).not_to_contain_text(" ".join(before))
    row.get_by_role("button", name="Hide").click()
    expect(bids).to_be_hidden()
    line.falsify(lambda told: ["error", told[1], "room.unknown", "it is gone"] if told[0] == "resumed" else None)
    line.cut()
    expect(graph.get_by_role("status").get_by_text("It is gone.")).to_be_visible()
    expect(graph.get_by_role("timer")).to_be_hidden()  # its content is unknown now
    line.be_true()

    line.stop()
    row.get_by_role("button", name="Show here").click()
    expect(stranger.get_by_role("region", name="A match")).to_be_visible()
    row.get_by_role("link", name="Open").click()  # before the server has answered
    expect(stranger.locator(".board-bone")).to_be_visible()
    line.go_on()
    expect(stranger.get_by_role("timer")).to_contain_text("Turn 1")
    players[1].locator(LEGAL).first.click()
    expect(stranger.get_by_role("timer")).to_contain_text("Turn 2")


def test_four_matches_are_shown_at_most_and_none_where_one_plays_oneself(
    site: ServerProcess, person: NewPerson
) -> None:
    visitor = person(site)
    page = visitor.context.new_page()
    line = ControlledConnection(page)

    def listed(told: Any) -> Any:
        if told[0] == "listed":  # rooms of other tests come and go
            return [*told[:1], [], []]
        if told[0] != "rooms":
            return None
        me = next(each[PLAYER] for each in line.heard if each[0] == "welcome")
        return [*told[:2], [running(number, me if number == 0 else "somebody") for number in range(6)]]

    line.falsify(listed)
    page.goto(f"{visitor.url}/#/watch")
    rows = page.locator(".wide-list").get_by_role("listitem")
    expect(rows).to_have_count(6)
    expect(rows.first.get_by_role("link")).to_have_text("Return")
    expect(rows.first.get_by_role("button")).to_have_count(0)
    expect(rows.last).to_contain_text("1 turn behind")
    show = page.get_by_role("button", name="Show here")
    for _ in range(4):
        show.first.click()
    expect(page.locator(".watch-grid > section")).to_have_count(4)
    expect(show).to_be_disabled()
    expect(page.get_by_text("Hide one to show another")).to_be_visible()
    page.get_by_role("button", name="Hide").first.click()
    expect(show.last).to_be_enabled()


def test_a_delayed_spectator_is_informed_and_sees_the_match_later(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).page
    create_room(page, "Graph Battle", delay="2", watch="all")
    expect(page.locator(LEGAL).first).to_be_visible()
    now = page.get_by_role("timer")
    begun = int(now.inner_text().split()[1])
    stranger = person(site)
    seen = stranger.tab(f"/#/r/{page.url.split('/r/')[1]}")
    expect(seen.get_by_text("2 turns behind", exact=True)).to_be_visible()
    expect(seen.get_by_text("The match starts here soon")).to_be_visible()
    end_turn(page)
    expect(now).to_contain_text(f"Turn {begun + 2}")
    end_turn(page)
    expect(now).to_contain_text(f"Turn {begun + 4}")
    # The end of turn t + 2 is part of its events, and the recorded clock is right after it.
    expect(seen.get_by_role("timer")).to_contain_text(f"Turn {begun + 3}")
    expect(seen.locator("[data-board=graph_battle] svg").first).to_be_visible()
    expect(seen.get_by_role("log", name="Log")).to_contain_text(f"Turn {begun + 1}", ignore_case=True)


def test_an_omniscient_spectator_sees_every_hand(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).page
    create_room(page, "Tile Blitz", delay="2", watch="all", seating="as joined")
    expect(page.locator(LEGAL).first).to_be_visible()
    own = page.get_by_role("list", name="Your cards").get_by_role("listitem").all_inner_texts()
    seen = person(site).tab(f"/#/r/{page.url.split('/r/')[1]}")
    for _ in range(4):  # the order A B B A keeps omniscient spectators further behind
        expect(page.locator(LEGAL).first).to_be_visible()
        end_turn(page)
    hands = seen.get_by_role("list", name=re.compile("^Cards of "))
    expect(hands).to_have_count(2)
    expect(hands.first).to_contain_text(own[0])
    expect(seen.get_by_role("log", name="Log")).to_contain_text(re.compile(r"\w drew .*[♣♦♥♠]"))
