/** Important news, including battles phase by phase, shown long enough to read. */

import type { Table } from "../board";
import { useFocusKept } from "../orders";
import { BattleScene } from "./battle_scene";
import { type News, tell } from "./events";

interface NewsProps {
  readonly news: readonly News[];
  readonly table: Table;
  /** The serial of the moment on show; only its news is animated. */
  readonly shown: number;
  readonly pace: number;
  readonly onPutAway: () => void;
}

export function NewsView({ news, table, shown, pace, onPutAway }: NewsProps) {
  return (
    <div aria-live="polite" tabindex={-1} ref={useFocusKept<HTMLDivElement>()}>
      {news.length > 0 && (
        <section class="th-news" aria-label="News">
          <div class="stack tight">
            {news.map(({ serial, events }) =>
              events.map((event, index) =>
                event.type === "battle" ? (
                  <BattleScene
                    key={`${serial} ${index}`}
                    battle={event}
                    table={table}
                    pace={serial === shown ? pace : 0}
                  />
                ) : (
                  <p key={`${serial} ${index}`}>{tell(event, table)}</p>
                ),
              ),
            )}
          </div>
          <button type="button" class="close" aria-label="Dismiss the news" onClick={onPutAway}>
            ×
          </button>
        </section>
      )}
    </div>
  );
}
