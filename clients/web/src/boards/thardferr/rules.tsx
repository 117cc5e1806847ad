/** Visual rules: a turn, the economy, the three battle phases, the races. */

import { RACES, UNITS } from "../../generated/thardferr_figures";
import { capital } from "../text_case";
import { CHARACTERS, UnitTable } from "./race_choice";

const CHAIN: readonly (readonly [string, string])[] = [
  ["Houses", "peasants"],
  ["Farms, Mines, Mills", "food, iron, wood"],
  ["Markets", "gold"],
  ["Training Centers", "units"],
  ["Attacks", "land"],
];

const PHASES: readonly (readonly [string, string])[] = [
  ["Arrows", "Shooters strike first. Guard Towers keep arrows off the defender."],
  ["First clash", "Few strike here: Knights, Runners, shadows in the dark."],
  ["Melee", "Everybody else. Pikes are worse for riders. Medical Centers soften the blows, and heal."],
];

export default function Rules() {
  return (
    <div class="th-rules stack">
      <p>
        <b>Be the last kingdom with land, or the strongest at the end.</b> Only land, castles and strength of others are
        known; the rest a scout sees, once a turn.
      </p>
      <p>
        <a class="button small" href="#/x/thardferr/battle" target="_blank" rel="noopener">
          Battle calculator
        </a>
      </p>
      <h3>What makes what</h3>
      <ol class="th-chain">
        {CHAIN.map(([from, to]) => (
          <li key={from}>
            <b>{from}</b>
            <span aria-hidden="true"> → </span>
            <span class="unseen"> make </span>
            {to}
          </li>
        ))}
      </ol>
      <h3>A turn</h3>
      <p>
        Units arrive, goods come in, upkeep is paid. Then order as much as you can pay for, and end the turn, or end it
        with an attack. If you cannot pay, you lose units.
      </p>
      <h3>A battle</h3>
      <ol class="stack tight">
        {PHASES.map(([name, text], index) => (
          <li key={name} class="th-step">
            <span class="number">{index + 1}</span>
            <span>
              <b>{name}.</b> {text}
            </span>
          </li>
        ))}
      </ol>
      <p>
        Both sides strike at once. Who loses the lower share of the army wins, and an attacker who wins takes a quarter
        of the land; half of that from a much weaker kingdom.
      </p>
      <h3>The races</h3>
      {RACES.map((race) => (
        <details key={race}>
          <summary>
            <b>{capital(race)}</b> <span class="quiet">{CHARACTERS[race]}</span>
          </summary>
          <UnitTable units={UNITS[race]} />
        </details>
      ))}
    </div>
  );
}
