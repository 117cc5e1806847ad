/** The progress of each side towards both victories, and its stores. */

import type { PublicView } from "warroom-client/games/timberwall";
import type { Table } from "../board";
import { capital } from "../text_case";
import { colourOf } from "./drawing";
import { BASE_HP, type Sight, STREAK } from "./position";

interface Props {
  readonly view: PublicView;
  readonly table: Table;
  readonly sight: Sight;
}

export function Progress({ view, table, sight }: Props) {
  return (
    <div class="tw-progress number">
      {view.bases.map((base, seat) => {
        const stores = sight.stores[seat];
        const color = colourOf(view, seat);
        return (
          <div key={seat} class="tw-side" style={{ "--of": color }}>
            <b>{capital(table.name(seat))}</b>
            <Bar name="base" now={Math.max(0, base.hp)} most={BASE_HP} />
            <Bar name="forests" now={view.held[seat] ?? 0} most={view.forests.length} />
            {(view.streaks[seat] ?? 0) > 0 && <Bar name="held all" now={view.streaks[seat] ?? 0} most={STREAK} />}
            <span class="quiet">{stores ? `${stores.wood} wood, ${stores.reserves} reserves` : "stores hidden"}</span>
          </div>
        );
      })}
    </div>
  );
}

export function Bar({ name, now, most }: { readonly name: string; readonly now: number; readonly most: number }) {
  return (
    <span class="tw-meter">
      <span class="quiet">{name}</span>
      <span class="tw-track" role="img" aria-label={`${name} ${now} of ${most}`}>
        <i style={{ width: `${(100 * now) / most}%` }} />
      </span>
      {now}/{most}
    </span>
  );
}
