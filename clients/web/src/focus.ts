/** Where the focus goes when what had it is gone: a button may lead to another screen, or go with its match. */

/** From now on give it to the part of the screen that it was in, or else to the heading, as soon as there is one. */
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
    // A browser may say this of what is removed, as is known a moment later, or cannot be used while it leads on.
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
