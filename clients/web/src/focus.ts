/** Where the focus goes when what had it is gone: a button may lead to another screen, or go with its match. */

/** From now on give it to the heading of the screen, as soon as there is one. */
export function keepFocus(): void {
  let held: Element | null = null;
  addEventListener("focusin", (event) => {
    held = event.target as Element;
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
    const heading = document.querySelector<HTMLElement>("main h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}
