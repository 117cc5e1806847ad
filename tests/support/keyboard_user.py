"""A user without a mouse: Tab, Enter, Space and the arrow keys."""

import re

from browser import LEGAL, game_card
from playwright.sync_api import Locator, Page, expect

AT_ORDERS = "[data-board] :is(button, [role=group], [role=tabpanel]):focus"
"""A button of the board, or the named group of buttons."""
MOST_TABS = 250
"""Maximum number of Tab presses before a target counts as unreachable."""
_IS_FOCUSED = "(all) => all.includes(document.activeElement)"
_WITHOUT_A_RING = """() => {
    const focused = document.activeElement;
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "var(--focus)";
    const colour = getComputedStyle(probe).color;
    probe.remove();
    const isRinged = (each) => {
        const { outlineStyle, outlineColor, stroke } = getComputedStyle(each);
        return (outlineStyle !== "none" && outlineColor === colour) || stroke === colour;
    };
    return [focused, ...focused.querySelectorAll("*")].some(isRinged) ? null : focused.outerHTML;
}"""
"""The focused element, if no part of it shows the focus colour: a ring, or a line in a drawing."""


class Keyboard:
    """The keyboard of one page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def reach(self, wanted: Locator, *, back: bool = False) -> None:
        """Press Tab, or Shift+Tab, until one of *wanted* has the focus and shows it."""
        expect(wanted.first).to_be_visible()
        for _ in range(MOST_TABS):
            if wanted.evaluate_all(_IS_FOCUSED):
                self._expect_a_ring()
                return
            self.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"{wanted} cannot be reached")

    def use(self, wanted: Locator, key: str = "Enter", *, back: bool = False) -> None:
        """Focus an element and press a key on it."""
        self.reach(wanted, back=back)
        self.press(key)

    def stay_at_orders(self) -> None:
        """Expect that an order by a button kept the focus, once the next order is possible."""
        expect(self.page.locator(LEGAL).first).to_be_visible()
        expect(self.page.locator(AT_ORDERS)).to_have_count(1)

    def press(self, *keys: str) -> None:
        """Press keys one after another."""
        for key in keys:
            self.page.keyboard.press(key)

    def enter(self, wanted: Locator, value: str) -> None:
        """Fill a field of any kind; a choice is made by its first letters."""
        self.reach(wanted)
        is_text = wanted.evaluate("(field) => field.tagName === 'INPUT'")
        if is_text:
            self.press("ControlOrMeta+a")
        self.page.keyboard.type(value)

    def create_room(self, game: str, **options: str) -> None:
        """Create a room with the form and fill it with bots; *options* are fields by their labels."""
        self.use(game_card(self.page, game).get_by_role("button", name="Create a room…"))
        dialog = self.page.get_by_role("dialog")
        expect(dialog.locator("summary").last).to_be_visible()
        players = dialog.get_by_label("players", exact=True)
        if players.count():
            self.enter(players, players.get_attribute("min") or "2")
        for name, value in {"turn": "3600", **options}.items():
            field = self.page.get_by_label(name.replace("_", " "), exact=True)
            if not field.is_visible():
                self.use(dialog.locator("details").filter(has=field).locator("summary"))
            self.enter(field, value)
        self.use(dialog.get_by_role("button", name="Create and join"))
        expect(self.page.get_by_role("list", name="Seats")).to_be_visible()
        self.use(self.button("Fill with bots"))
        expect(self.page.get_by_role("timer")).to_be_visible()

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """Return a button that is enabled now."""
        return self.page.get_by_role("button", name=name, disabled=False)

    def _expect_a_ring(self) -> None:
        unseen = self.page.evaluate(_WITHOUT_A_RING)
        assert unseen is None, f"the focus does not show on {unseen}"
