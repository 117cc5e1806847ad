/** The tabs Build and Army. */

import { useState } from "preact/hooks";

import type { Action } from "warroom-client/games/thardferr";
import { BUILDINGS, STRATEGIES } from "../../generated/thardferr_figures";
import { gameOf } from "../../state";
import { counted } from "../../ui/numbers";
import { effectOf } from "./effect_texts";
import { type Building, onSlots } from "./kingdoms";
import { buildable, inWords, priceOf, trainable, unitOf } from "./limits";
import { count, spoken } from "./numbers";
import { Order, type Realm } from "./realm_controls";

export function Build({ realm }: { readonly realm: Realm }) {
  const { kingdom, forecast } = realm;
  const free = forecast.slots - onSlots(kingdom);
  const [doomed, setDoomed] = useState<Building | null>(null);
  const raze = (building: Building) => {
    if (doomed === building) realm.order({ type: "raze", building, count: 1 });
    setDoomed(doomed === building ? null : building);
  };
  return (
    <>
      <p class="quiet tiny number">
        Room for {counted(free, "more building")} and{" "}
        {counted(forecast.castle_cap - kingdom.buildings.castle, "more castle")}. Buildings are ready at once.
      </p>
      <ul class="th-rows" onFocusOut={() => setDoomed(null)}>
        {(Object.keys(BUILDINGS) as Building[]).map((kind) => {
          const building = BUILDINGS[kind];
          if (!building) return null;
          const { most, why } = buildable(kingdom, forecast, kind);
          const have = kingdom.buildings[kind];
          return (
            <li key={kind}>
              <b class="th-count number">{count(have)}</b>
              <div class="th-what">
                <b>{building.name}</b>{" "}
                <span class="quiet">{effectOf(gameOf(realm.table.game), "Build", "building", kind)}</span>
                <div class="tiny quiet number">
                  {inWords(priceOf(building))}
                  {most === 0 && <span class="th-alarm"> · {why}</span>}
                </div>
              </div>
              <Amounts
                realm={realm}
                most={most}
                why={why}
                what={`Build ${building.name}`}
                make={(number) => ({ type: "build", building: kind, count: number })}
              />
              <Order
                realm={realm}
                action={() => raze(kind)}
                why={have ? "" : "none built"}
                label={`${doomed === kind ? "Sure? " : ""}Raze one ${building.name}`}
                kind="small plain th-raze"
              >
                {doomed === kind ? "Sure?" : "Raze"}
              </Order>
            </li>
          );
        })}
      </ul>
    </>
  );
}

export function Army({ realm }: { readonly realm: Realm }) {
  const { kingdom, forecast } = realm;
  return (
    <>
      <label class="th-choice">
        <span>Defend with</span>
        <select
          class="select"
          value={kingdom.strategy ?? ""}
          disabled={!!realm.idle}
          onChange={(event) => {
            const { value } = event.currentTarget;
            event.currentTarget.value = kingdom.strategy ?? ""; // until the server confirms the change
            if (realm.idle === null) realm.order({ type: "set_strategy", strategy: value || null });
            else realm.say("an order is being sent; choose again in a moment");
          }}
        >
          <option value="">no strategy</option>
          {STRATEGIES[kingdom.race].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <ul class="th-rows">
        {kingdom.army.map((troop) => {
          const unit = unitOf(kingdom, troop.unit);
          if (!unit) return null;
          const { most, why } = trainable(kingdom, forecast, troop.unit);
          return (
            <li key={troop.unit}>
              <b class="th-count number">{count(troop.count)}</b>
              <div class="th-what">
                <b>{spoken(troop.unit)}</b>{" "}
                <span class="quiet number">
                  melee {unit.melee} · short {unit.short} · range {unit.range} · defence {unit.defence}
                </span>
                {troop.training > 0 && <span class="tag good number">+{count(troop.training)} next turn</span>}
                <div class="tiny quiet number">
                  {inWords(priceOf(unit))} · upkeep {unit.half_gold_upkeep / 2} gold, {unit.food_upkeep} food a day
                  {most === 0 && <span class="th-alarm"> · {why}</span>}
                </div>
              </div>
              <Amounts
                realm={realm}
                most={most}
                why={why}
                what={`Train ${spoken(troop.unit)}`}
                make={(number) => ({ type: "train", unit: troop.unit, count: number })}
              />
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Buttons for one, five and as many as possible. */
function Amounts({
  realm,
  most,
  why,
  what,
  make,
}: {
  readonly realm: Realm;
  readonly most: number;
  readonly why: string;
  readonly what: string;
  readonly make: (count: number) => Action;
}) {
  const steps = [...new Set([1, 5, most])].filter((step) => step > 0).sort((one, other) => one - other);
  return (
    <div class="th-amounts">
      {steps.map((step) => (
        <Order
          key={step}
          realm={realm}
          action={make(step)}
          why={step > most ? why || `only ${most} more` : ""}
          label={`${what}: ${step}`}
        >
          +{count(step)}
        </Order>
      ))}
    </div>
  );
}
