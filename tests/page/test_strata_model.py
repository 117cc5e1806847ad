"""The 3D model of Strata: drawing, clicks, and browsers without 3D."""

import base64
import re
from typing import NamedTuple

from browser import LEGAL, NewPerson, create_room, wait_until
from playwright.sync_api import BrowserContext, Locator, Page, expect
from server_process import ServerProcess

_PIXELS = """async ([before, after]) => {
    const pixels = async (picture) => {
        const bytes = Uint8Array.from(atob(picture), (each) => each.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes]));
        const paper = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
        paper.drawImage(bitmap, 0, 0);
        return paper.getImageData(0, 0, bitmap.width, bitmap.height);
    };
    const { data: former } = await pixels(before);
    const { data, width } = await pixels(after);
    const colours = new Set(), xs = [], ys = [];
    for (let at = 0; at < data.length; at += 4) {
        colours.add(data.slice(at, at + 3).join());
        if (Math.max(...[0, 1, 2].map((part) => Math.abs(data[at + part] - former[at + part]))) < 24) continue;
        xs.push((at / 4) % width);
        ys.push(Math.floor(at / 4 / width));
    }
    const middle = (all) => all.sort((one, other) => one - other)[all.length >> 1] ?? -1;
    return { colours: colours.size, changed: xs.length, x: middle(xs), y: middle(ys) };
}"""
WITHOUT_GRAPHICS = """
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith("webgl") ? null : get.call(this, kind, ...rest);
    };
"""
A_FEW_COLOURS = 20


class Difference(NamedTuple):
    """The difference of two pictures: number of changed pixels, and where most of them are."""

    colours: int
    changed: int
    x: int
    y: int


def difference(context: BrowserContext, before: bytes, after: bytes) -> Difference:
    """Compare two pictures, in a page without our policy."""
    easel = context.new_page()
    found = easel.evaluate(_PIXELS, [base64.b64encode(each).decode() for each in (before, after)])
    easel.close()
    return Difference(**found)


def picture(page: Page, model: Locator, *, unlike: bytes = b"") -> bytes:
    """Return a picture of the model once it is drawn, *unlike* the earlier one, and at rest."""
    taken = [b""]

    def rests() -> bool:
        taken.append(model.screenshot())
        now, last = taken[-1], taken[-2]
        return now == last != unlike and difference(page.context, now, now).colours > A_FEW_COLOURS

    wait_until(page, rests)
    return taken[-1]


def begin(page: Page) -> Locator:
    """Start a match, and return the corner for the first piece."""
    create_room(page, "Strata", seating="as joined")
    corner = page.locator("svg .st-choice").first
    expect(corner).to_be_visible()
    return page.locator(f"[data-vertex='{corner.get_attribute('data-vertex')}']")


def place(page: Page, corner: Locator) -> None:
    corner.click()
    page.get_by_role("button", name="Place a piece").click()
    expect(corner).to_contain_text("⚡")
    expect(page.locator("svg [aria-pressed=true]")).to_have_count(0)
    expect(page.locator(f"svg {LEGAL}").first).to_be_visible()  # so that a click on the model counts


def test_a_placed_stack_shows_in_the_model_and_can_be_clicked_there(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page = player.page
    corner = begin(page)
    model = page.locator(".st-model canvas")
    expect(model).to_have_attribute("data-engine", re.compile("^three.js"))
    expect(model).to_have_css("touch-action", "pan-y")  # a horizontal swipe turns it, a vertical one scrolls the page
    before = picture(page, model)
    place(page, corner)
    seen = difference(player.context, before, picture(page, model, unlike=before))
    assert seen.changed > 0, seen
    model.click(position={"x": seen.x, "y": seen.y})
    expect(corner).to_have_attribute("aria-pressed", "true")


def test_where_nothing_is_drawn_in_three_dimensions_the_layers_are_played_on(
    site: ServerProcess, person: NewPerson
) -> None:
    page = person(site).page
    page.add_init_script(WITHOUT_GRAPHICS)
    page.reload()
    corner = begin(page)
    expect(page.get_by_text("This browser has no 3D graphics.")).to_be_visible()
    place(page, corner)
    expect(page.get_by_role("log", name="Log")).to_contain_text("You placed a piece")
