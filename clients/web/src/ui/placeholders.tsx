/** Screens shown in place of one that is loading or unavailable. */

import type { ComponentChildren } from "preact";

interface DeadEndProps {
  readonly title: string;
  /** Why there is nothing to see. */
  readonly children?: ComponentChildren;
  /** Links before the one to the lobby. */
  readonly ways?: ComponentChildren;
}

/** Shown instead of an unavailable screen: the reason, and links. */
export function DeadEnd({ title, children, ways }: DeadEndProps) {
  return (
    <main class="screen stack">
      <h1>{title}</h1>
      {children}
      <p class="row">
        {ways}
        <a class="button" href="#/">
          Back to the games
        </a>
      </p>
    </main>
  );
}

/** The message while the server cannot show a match: read aloud, so no parent may be marked busy. */
export function DelayNotice({ isHeldUp }: { readonly isHeldUp: boolean }) {
  return (
    <div role="status">
      {isHeldUp && <p class="banner warn">The server cannot show this match right now. Retrying every second…</p>}
    </div>
  );
}

/** Shown instead of a match that is loading or not available yet. */
export function MatchSkeleton({ isHeldUp = false }: { readonly isHeldUp?: boolean }) {
  return (
    <main class="screen room">
      <div class="head">
        <div class="bone title-bone" />
      </div>
      <div class="place">
        <DelayNotice isHeldUp={isHeldUp} />
        <div class="bone board-bone" aria-busy="true" />
      </div>
      <div class="side">
        <div class="bone list-bone" />
      </div>
    </main>
  );
}
