/** Selects the game of a list. */

import { href, type Route } from "../routes";
import { games } from "../state";

export function GameTabs({
  to,
  game,
  isAll = true,
}: {
  /** The route of the list of a game. */
  readonly to: (game: string | null) => Route;
  readonly game: string | null;
  readonly isAll?: boolean;
}) {
  return (
    <nav class="row" aria-label="Games">
      {isAll && (
        <a class="button small" href={href(to(null))} aria-current={game === null ? "true" : undefined}>
          All games
        </a>
      )}
      {!games.value.length && [0, 1, 2, 3, 4].map((each) => <span key={each} class="button small bone tab-bone" />)}
      {games.value.map((each) => (
        <a
          key={each.game}
          class="button small"
          href={href(to(each.game))}
          aria-current={game === each.game ? "true" : undefined}
        >
          {each.name}
        </a>
      ))}
    </nav>
  );
}
