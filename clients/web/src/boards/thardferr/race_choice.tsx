/** The choice of a race, with its units side by side. */

import { RACES, STRATEGIES, UNITS, type Unit } from "../../generated/thardferr_figures";
import { canOrder, OrderButton } from "../orders";
import { capital } from "../text_case";
import { count, spoken } from "./numbers";
import type { Props } from "./realm_controls";

export const CHARACTERS: { readonly [race in (typeof RACES)[number]]: string } = {
  dwarf: "Slow to die. Heavy armour and a wall of shields; crossbows behind it.",
  elf: "Deadly from afar. Mages and elite archers, who must not be reached.",
  gnome: "Engines and crowds. Catapults that outrange everybody, militia by the dozen.",
  human: "Well rounded. Knights who charge, pikes against riders, honest infantry.",
  orc: "Cheap and fierce. Many blades, shadows that strike first, rich mines and mills.",
  undead: "Never hungry. An army without food, and skeletons that arrows pass through.",
};

function people(race: string): string {
  return { elf: "elves", dwarf: "dwarves", undead: "undead" }[race] ?? `${race}s`;
}

function titleOf(isOver: boolean, isAsked: boolean, own: string | null): string {
  if (isOver) return "The match is over";
  if (isAsked) return "Choose your race";
  return own ? `You will rule the ${people(own)}` : "The races are being picked";
}

export function Picking({ moment, table, asked, play, refusal }: Props) {
  const view = moment.public;
  const own = moment.private?.pick ?? null;
  const waiting = view.picked.flatMap((isPicked, seat) => (isPicked ? [] : [table.name(seat)]));
  return (
    <div class="thardferr stack">
      <div>
        <h2>{titleOf(table.isOver, asked !== null, own)}</h2>
        <p class="quiet">
          All pick at the same time, in secret.{" "}
          {waiting.length > 0 && !asked && !table.isOver && `Still choosing: ${waiting.join(", ")}.`}
        </p>
        <div aria-live="assertive">{refusal && <p class="refusal">{refusal.text}</p>}</div>
      </div>
      <div class="th-races">
        {(table.seat === null ? [] : RACES).map((race) => (
          <article key={race} class={`sheet th-race ${own === race ? "th-own" : ""}`}>
            <h3>{capital(race)}</h3>
            <p class="tiny">{CHARACTERS[race]}</p>
            <UnitTable units={UNITS[race]} />
            <p class="tiny quiet">
              Special strategy:{" "}
              {STRATEGIES[race].filter((name) => !STRATEGIES[race === "elf" ? "orc" : "elf"].includes(name)).join(", ")}
            </p>
            {asked && (
              <OrderButton kind="wide" isLegal={canOrder(asked)} onOrder={() => void play({ type: "pick_race", race })}>
                Rule the {people(race)}
              </OrderButton>
            )}
          </article>
        ))}
      </div>
    </div>
  );
}

export function UnitTable({ units }: { readonly units: readonly Unit[] }) {
  return (
    <table class="th-table th-units number">
      <thead>
        <tr>
          <th scope="col">Unit</th>
          <th scope="col" title="damage in melee">
            melee
          </th>
          <th scope="col" title="damage from afar">
            range
          </th>
          <th scope="col" title="damage it takes to kill one">
            def.
          </th>
          <th scope="col">gold</th>
        </tr>
      </thead>
      <tbody>
        {units.map((unit) => (
          <tr key={unit.name}>
            <th scope="row">{spoken(unit.name)}</th>
            <td>{unit.melee + unit.short || "·"}</td>
            <td>{unit.range || "·"}</td>
            <td>{unit.defence}</td>
            <td>{count(unit.gold)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
