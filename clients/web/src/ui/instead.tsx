/** Whole screens that stand in for one that is still to come, or cannot be shown. */

import type { ComponentChildren } from "preact";

interface DeadEndProps {
  readonly title: string;
  /** Why there is nothing to see. */
  readonly children?: ComponentChildren;
  /** Ways on, before the one that there always is. */
  readonly ways?: ComponentChildren;
}

/** Instead of a screen that cannot be shown: why, and the ways on. */
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

/** What is said while the server cannot show a match: read out, so nothing around it may be called busy. */
export function HeldUp({ isHeldUp }: { readonly isHeldUp: boolean }) {
  return (
    <div role="status">
      {isHeldUp && (
        <p class="banner warn">The server cannot show this match just now. It is asked again every second.</p>
      )}
    </div>
  );
}

/** Instead of a match that is being fetched, or that the server cannot show yet. */
export function MatchBones({ isHeldUp = false }: { readonly isHeldUp?: boolean }) {
  return (
    <main class="screen room">
      <div class="head">
        <div class="bone title-bone" />
      </div>
      <div class="place">
        <HeldUp isHeldUp={isHeldUp} />
        <div class="bone board-bone" aria-busy="true" />
      </div>
      <div class="side">
        <div class="bone list-bone" />
      </div>
    </main>
  );
}
