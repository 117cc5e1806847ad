/** The placeholder of the lobby: the same layout, so that nothing moves when the content arrives. */

import { NoScreen } from "../ui/lazy";

export function LobbySkeleton({ isMissing }: { readonly isMissing: boolean }) {
  if (isMissing) return <NoScreen isMissing />;
  return (
    <main class="screen lobby" aria-busy="true">
      <section class="stack">
        <h1>Choose a game</h1>
        <GameSkeleton />
      </section>
      <aside class="stack" aria-label="Rooms">
        <div class="bone list-bone" />
        <div class="bone list-bone" />
      </aside>
    </main>
  );
}

export function GameSkeleton() {
  return (
    <div class="games">
      {[0, 1, 2, 3, 4].map((each) => (
        <div key={each} class="bone game-bone" />
      ))}
    </div>
  );
}
