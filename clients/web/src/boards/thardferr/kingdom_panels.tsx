/** Panels: all kingdoms compared, the own stores, and scouted ledgers. */

import type { Kingdom, PublicView } from "warroom-client/games/thardferr";
import { BUILDINGS } from "../../generated/thardferr_figures";
import type { Table } from "../board";
import { capital } from "../text_case";
import { type Building, GOODS, isStanding, onSlots, turnsLeft } from "./kingdoms";
import { count, signed, spoken } from "./numbers";
import { Bar, type Realm, seatColour } from "./realm_controls";

/** A chart of land, castles and strength of all kingdoms. */
export function Kingdoms({ view, table }: { readonly view: PublicView; readonly table: Table }) {
  const most = (of: "land" | "castles" | "strength") => Math.max(1, ...view.kingdoms.map((each) => each[of]));
  const tops = { land: most("land"), castles: most("castles"), strength: most("strength") };
  return (
    <table class="th-table th-kingdoms number">
      <thead>
        <tr>
          <th scope="col">Kingdom</th>
          {(["land", "castles", "strength"] as const).map((of) => (
            <th key={of} scope="col">
              {of}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {view.kingdoms.map((kingdom, seat) => (
          <tr key={seat} class={isStanding(view, seat) ? "" : "th-fallen"}>
            <th scope="row">
              <i class="th-dot" style={{ background: seatColour(seat) }} />
              {capital(table.name(seat))}
              <span class="quiet"> {isStanding(view, seat) ? kingdom.race : "fallen"}</span>
            </th>
            {(["land", "castles", "strength"] as const).map((of) => (
              <td key={of}>
                {count(kingdom[of])}
                <Bar value={kingdom[of]} of={tops[of]} colour={seatColour(seat)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The own stores with income per turn, and the use of land and quarters. */
export function Treasury({ realm }: { readonly realm: Realm }) {
  const { kingdom, forecast } = realm;
  const soldiers = kingdom.army.reduce(
    (sum, troop) => sum + (troop.unit === "Mage" ? 0 : troop.count + troop.training),
    0,
  );
  return (
    <div class="th-treasury number">
      {GOODS.map((good) => {
        const change = forecast.income[good] - forecast.upkeep[good];
        const left = turnsLeft(kingdom, forecast, good);
        const isShort = left !== null && left < 3;
        return (
          <div
            key={good}
            class={isShort ? "th-store th-short" : "th-store"}
            title={`income ${count(forecast.income[good])}, upkeep ${count(forecast.upkeep[good])} per turn`}
          >
            <span class="quiet tiny">{good}</span>
            <b>{count(kingdom.stores[good])}</b>
            <span class="tiny">
              {signed(change)} <span class="quiet th-per">a turn</span>
              {isShort && <span class="th-alarm"> · {left ? `gone in ${left + 1}` : "not enough"}</span>}
            </span>
          </div>
        );
      })}
      <Fill name={`built on ${kingdom.land} land`} value={onSlots(kingdom)} of={forecast.slots} />
      <Fill name="soldiers housed" value={soldiers} of={forecast.soldier_room} />
    </div>
  );
}

function Fill({ name, value, of }: { readonly name: string; readonly value: number; readonly of: number }) {
  return (
    <div class="th-store">
      <span class="quiet tiny">{name}</span>
      <b>
        {count(value)}
        <span class="quiet"> / {count(of)}</span>
      </b>
      <Bar value={value} of={of} colour={value >= of ? "var(--accent)" : "var(--good)"} />
    </div>
  );
}

/** The whole ledger of a scouted kingdom. */
export function Ledger({ kingdom }: { readonly kingdom: Kingdom }) {
  const troops = kingdom.army.filter((troop) => troop.count + troop.training);
  const buildings = (Object.keys(kingdom.buildings) as Building[]).filter((kind) => kingdom.buildings[kind]);
  return (
    <dl class="th-ledger number">
      <dt>Army</dt>
      <dd>{troops.map((troop) => `${count(troop.count)} ${spoken(troop.unit)}`).join(", ") || "nobody"}</dd>
      <dt>Defends</dt>
      <dd>{kingdom.strategy ?? "without a strategy"}</dd>
      <dt>Buildings</dt>
      <dd>{buildings.map((kind) => `${count(kingdom.buildings[kind])} ${BUILDINGS[kind]?.name}`).join(", ")}</dd>
      <dt>Stores</dt>
      <dd>{GOODS.map((good) => `${count(kingdom.stores[good])} ${good}`).join(", ")}</dd>
      <dt>Knows</dt>
      <dd>{kingdom.technologies.map((known) => `${known.technology} ${known.level}`).join(", ") || "nothing yet"}</dd>
    </dl>
  );
}
