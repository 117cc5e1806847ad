/** Moves the focus when its element disappears: a button may lead to another screen, or vanish with its match. */

/** Move the focus to the surrounding part of the screen, or else to the heading, once there is one. */
export function keepFocus(): void {
  let held: Element | null = null;
  let around: HTMLElement[] = [];
  addEventListener("focusin", (event) => {
    held = event.target as Element;
    around = [];
    for (let part = held.parentElement; part; part = part.parentElement) around.push(part);
  });
  addEventListener("focusout", () => {
    const left = held;
    // Browsers also fire this for elements that are removed or disabled for a moment while they lead on.
    queueMicrotask(() => {
      if (left === held && left?.isConnected && !left.matches(":disabled")) held = null;
    });
  });
  new MutationObserver(() => {
    if (!held || held.isConnected || document.activeElement !== document.body) return;
    const part = around.find((each) => each.isConnected && each.matches("main section, main [tabindex]"));
    const next = part ?? document.querySelector<HTMLElement>("main h1");
    if (!next?.hasAttribute("tabindex")) next?.setAttribute("tabindex", "-1");
    next?.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}
