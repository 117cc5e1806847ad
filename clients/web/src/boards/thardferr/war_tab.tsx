/** The War tab: the other kingdoms, scouting, and an attack composed unit by unit. */

import { STRATEGIES } from "../../generated/thardferr_figures";
import { capital } from "../text_case";
import { Kingdoms, Ledger } from "./kingdom_panels";
import { isStanding } from "./kingdoms";
import { whyPeace } from "./limits";
import { count, spoken } from "./numbers";
import { type Muster, Order, type Realm, seatColour } from "./realm_controls";

export function War({ realm }: { readonly realm: Realm }) {
  const { view, table, draft, secret } = realm;
  const others = view.kingdoms.map((_, seat) => seat).filter((seat) => seat !== realm.seat);
  const hasArmy = realm.kingdom.army.some((troop) => troop.count);
  const peace = whyPeace(view) || (hasArmy ? "" : "you have no army");
  return (
    <>
      <Kingdoms view={view} table={table} />
      <ul class="th-rows">
        {others.map((seat) => {
          const fallen = isStanding(view, seat) ? "" : "this kingdom has fallen";
          return (
            <li key={seat} class="th-target">
              <i class="th-dot" style={{ background: seatColour(seat) }} />
              <div class="th-what">
                <b>{capital(table.name(seat))}</b> <span class="quiet">{view.kingdoms[seat]?.race}</span>
                {(fallen || peace) && <div class="tiny th-alarm">{fallen || `no attacks: ${peace}`}</div>}
              </div>
              <div class="th-amounts">
                <Order
                  realm={realm}
                  action={{ type: "scout", seat }}
                  why={fallen || (secret.scouted ? "one kingdom a turn" : "")}
                  label={`Scout ${table.name(seat)}`}
                >
                  Scout
                </Order>
                <Order
                  realm={realm}
                  action={() => realm.setDraft({ ...draft, attack: wholeArmy(realm, seat) })}
                  why={fallen || peace}
                  isPressed={draft.attack?.target === seat}
                  label={`Attack ${table.name(seat)}…`}
                >
                  Attack…
                </Order>
              </div>
            </li>
          );
        })}
      </ul>
      {secret.scouted && (
        <section class="sheet th-card" aria-label="What your scouts saw">
          <h3>{capital(table.name(secret.scouted.seat))}, as your scouts see it until your turn ends</h3>
          <Ledger kingdom={secret.scouted.kingdom} />
        </section>
      )}
      {draft.attack && <Composer realm={realm} muster={draft.attack} />}
    </>
  );
}

function wholeArmy(realm: Realm, target: number): Muster {
  const army = Object.fromEntries(
    realm.kingdom.army.filter((troop) => troop.count).map((troop) => [troop.unit, troop.count]),
  );
  return { target, army, strategy: realm.draft.attack?.strategy ?? null };
}

function Composer({ realm, muster }: { readonly realm: Realm; readonly muster: Muster }) {
  const { kingdom, draft, setDraft, table } = realm;
  const change = (part: Partial<Muster>) => setDraft({ ...draft, attack: { ...muster, ...part } });
  const troops = kingdom.army.filter((troop) => troop.count);
  const share = (part: number) =>
    change({ army: Object.fromEntries(troops.map((troop) => [troop.unit, Math.floor(troop.count * part)])) });
  const army = Object.fromEntries(Object.entries(muster.army).filter(([, number]) => number > 0));
  const size = Object.values(army).reduce((sum, number) => sum + number, 0);
  return (
    <section class="sheet th-card stack tight" aria-label="Your attack">
      <div class="row apart">
        <h3>Against {table.name(muster.target)}</h3>
        <div class="row">
          {(
            [
              ["All", 1],
              ["Half", 0.5],
              ["None", 0],
            ] as const
          ).map(([name, part]) => (
            <button key={name} type="button" class="button small" onClick={() => share(part)}>
              {name}
            </button>
          ))}
        </div>
      </div>
      {troops.map((troop) => (
        <label key={troop.unit} class="th-slide">
          <b>{spoken(troop.unit)}</b>
          <span class="number">
            <b>{count(muster.army[troop.unit] ?? 0)}</b> <span class="quiet">of {count(troop.count)}</span>
          </span>
          <input
            type="range"
            min="0"
            max={troop.count}
            value={muster.army[troop.unit] ?? 0}
            onInput={(event) => change({ army: { ...muster.army, [troop.unit]: event.currentTarget.valueAsNumber } })}
          />
        </label>
      ))}
      <label class="th-choice">
        <span>Strategy</span>
        <select
          class="select"
          value={muster.strategy ?? ""}
          onChange={(event) => change({ strategy: event.currentTarget.value || null })}
        >
          <option value="">none</option>
          {STRATEGIES[kingdom.race].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <p class="tiny quiet">
        Who stays does not fall; the whole army of the other defends. A victory takes a quarter of their land. The
        attack ends your turn.
      </p>
      <div class="row">
        <Order
          realm={realm}
          action={{ type: "attack", target: muster.target, army, strategy: muster.strategy }}
          why={size ? "" : "choose your units"}
          kind="main"
        >
          Attack with {count(size)} units
        </Order>
        <button
          type="button"
          class="button plain"
          onClick={() => setDraft(draft.workers ? { workers: draft.workers } : {})}
        >
          Cancel
        </button>
      </div>
    </section>
  );
}
