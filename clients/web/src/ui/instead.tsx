/** Whole screens that stand in for one that is still to come, or cannot be shown. */

import type { ComponentChildren } from "preact";

interface DeadEndProps {
  readonly title: string;
  /** Why there is nothing to see. */
  readonly children?: ComponentChildren;
  /** Ways on, before the one that there always is. */
  readonly ways?: ComponentChildren;
  /** Whether it may still come. */
  readonly isBusy?: boolean;
}

/** Instead of a screen that cannot be shown: why, and the ways on. */
export function DeadEnd({ title, children, ways, isBusy = false }: DeadEndProps) {
  return (
    <main class="screen stack" aria-busy={isBusy}>
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

/** What is said while the server cannot show a match. */
export const HELD_UP = "The server cannot show this match just now. It is asked again every second.";

/** Instead of a match that is being fetched, or that the server cannot show yet. */
export function MatchBones({ isHeldUp = false }: { readonly isHeldUp?: boolean }) {
  return (
    <main class="screen room" aria-busy="true">
      <div class="head">
        <div class="bone title-bone" />
      </div>
      <div class="place">
        <div role="status">{isHeldUp && <p class="banner warn">{HELD_UP}</p>}</div>
        <div class="bone board-bone" />
      </div>
      <div class="side">
        <div class="bone list-bone" />
      </div>
    </main>
  );
}
