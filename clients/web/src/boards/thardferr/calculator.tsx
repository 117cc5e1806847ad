/** The battle calculator. The server calculates, so there is one implementation of the rules. */

import "./thardferr.css";
import "./calculator.css";

import { useEffect, useState } from "preact/hooks";

import { MAX_ROUNDS, RACES, type Race, STRATEGIES, TECHNOLOGIES, UNITS } from "../../generated/thardferr_figures";
import { capital } from "../text_case";
import {
  addressOf,
  type Battle,
  battleOf,
  EXAMPLES,
  hashOf,
  type Report,
  type Ruleset,
  type Side,
  withRace,
} from "./battle_input";
import { ReportView } from "./battle_report";
import { spoken } from "./numbers";

/** The technologies and buildings that matter in a battle (rules, sections 3.1 and 4.1). */
const FIGHTING = [
  "Sharper Blades",
  "Improve Bow Range",
  "Tougher Light Armor",
  "Tougher Heavy Armor",
  "Fortification",
  "Cloacking",
];
const BUILDINGS = ["Castle", "Guard Towers", "Medical Center"];
const ALL_STRATEGIES = [...new Set(RACES.flatMap((race) => STRATEGIES[race]))];
const MOST = 1_000_000_000;

type Answer = { readonly report: Report; readonly battle: Battle } | { readonly trouble: string } | null;

export function Calculator() {
  const [battle, setBattle] = useState<Battle>(
    () => battleOf(location.hash) ?? (EXAMPLES[0] as (typeof EXAMPLES)[0])[1],
  );
  const [answer, setAnswer] = useState<Answer>(null);
  const address = addressOf(battle);
  useEffect(() => {
    const look = (): void => setBattle((now) => battleOf(location.hash) ?? now);
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  useEffect(() => {
    history.replaceState(null, "", hashOf(battle));
    const stop = new AbortController();
    const wait = setTimeout(
      () => void ask(address, battle, stop.signal).then((found) => found && setAnswer(found)),
      150,
    );
    return () => {
      clearTimeout(wait);
      stop.abort();
    };
  }, [address]);
  return (
    <div class="th-calculator stack">
      <p class="quiet">
        Set up two armies and the server calculates the battle by the rules of the game. The address of this page
        contains the battle, so you can share it.
      </p>
      <div class="row apart th-settings">
        <div class="row">
          <span class="label">Examples</span>
          {EXAMPLES.map(([name, example]) => (
            <button key={name} type="button" class="button small" onClick={() => setBattle(example)}>
              {name}
            </button>
          ))}
          <button
            type="button"
            class="button small plain"
            onClick={() => setBattle({ ...battle, attacker: battle.defender, defender: battle.attacker })}
          >
            Swap sides
          </button>
        </div>
        <div class="row">
          <label class="th-number">
            <span>Rules</span>
            <select
              class="select"
              value={battle.ruleset}
              onChange={(event) => setBattle({ ...battle, ruleset: event.currentTarget.value as Ruleset })}
            >
              <option value="document">document</option>
              <option value="calculator">calculator</option>
            </select>
          </label>
          <Count
            name="Rounds"
            value={battle.max_rounds}
            least={1}
            most={MAX_ROUNDS}
            onChange={(max_rounds) => setBattle({ ...battle, max_rounds })}
          />
        </div>
      </div>
      <div class="th-sides">
        {(["attacker", "defender"] as const).map((name) => (
          <SideForm
            key={name}
            name={name}
            side={battle[name]}
            onChange={(side) => setBattle({ ...battle, [name]: side })}
          />
        ))}
      </div>
      <div aria-live="polite">
        {answer === null && <div class="bone list-bone" aria-busy="true" />}
        {answer && "trouble" in answer && <p class="refusal">{answer.trouble}</p>}
        {answer && "report" in answer && <ReportView report={answer.report} battle={answer.battle} />}
      </div>
    </div>
  );
}

async function ask(address: string, battle: Battle, signal: AbortSignal): Promise<Answer> {
  try {
    const response = await fetch(address, { signal });
    if (response.ok) return { report: (await response.json()) as Report, battle };
    return { trouble: capital((await response.text()).trim() || `The server answered ${response.status}.`) };
  } catch {
    return signal.aborted ? null : { trouble: "The server cannot be reached. Change the battle to try again." };
  }
}

interface SideProps {
  readonly name: "attacker" | "defender";
  readonly side: Side;
  readonly onChange: (side: Side) => void;
}

function SideForm({ name, side, onChange }: SideProps) {
  const set = (of: "army" | "techs" | "buildings", key: string) => (value: number) =>
    onChange({ ...side, [of]: { ...side[of], [key]: value } });
  return (
    <fieldset class={`sheet th-side th-${name}`}>
      <legend>{capital(name)}</legend>
      <div class="th-pair">
        <label class="field">
          <span class="name">Race</span>
          <select
            class="select"
            value={side.race}
            onChange={(event) => onChange(withRace(side, event.currentTarget.value as Race))}
          >
            {RACES.map((race) => (
              <option key={race}>{race}</option>
            ))}
          </select>
        </label>
        <label class="field">
          <span class="name">Strategy</span>
          <select
            class="select"
            value={side.strategy ?? ""}
            onChange={(event) => onChange({ ...side, strategy: event.currentTarget.value || null })}
          >
            <option value="">none</option>
            {ALL_STRATEGIES.map((strategy) => (
              <option key={strategy}>{strategy}</option>
            ))}
          </select>
        </label>
      </div>
      <div class="th-grid">
        {UNITS[side.race].map((unit) => (
          <Count
            key={unit.name}
            name={spoken(unit.name)}
            value={side.army[unit.name] ?? 0}
            onChange={set("army", unit.name)}
          />
        ))}
      </div>
      <details open={Object.values({ ...side.techs, ...side.buildings }).some(Boolean)}>
        <summary>Technologies and buildings</summary>
        <div class="th-grid">
          {FIGHTING.map((technology) => (
            <Count
              key={technology}
              name={technology}
              value={side.techs[technology] ?? 0}
              most={TECHNOLOGIES.find((each) => each.name === technology)?.max_level ?? 1}
              onChange={set("techs", technology)}
            />
          ))}
          {BUILDINGS.map((building) => (
            <Count
              key={building}
              name={building}
              value={side.buildings[building] ?? 0}
              onChange={set("buildings", building)}
            />
          ))}
          <Count name="Land" value={side.land} onChange={(land) => onChange({ ...side, land })} />
        </div>
      </details>
    </fieldset>
  );
}

interface CountProps {
  readonly name: string;
  readonly value: number;
  readonly least?: number;
  readonly most?: number;
  readonly onChange: (value: number) => void;
}

function Count({ name, value, least = 0, most = MOST, onChange }: CountProps) {
  return (
    <label class="th-number">
      <span>{name}</span>
      <input
        class="input number"
        type="number"
        inputMode="numeric"
        min={least}
        max={most}
        value={value}
        onInput={(event) => {
          const number = event.currentTarget.valueAsNumber;
          if (Number.isInteger(number)) onChange(Math.max(least, Math.min(most, number)));
        }}
      />
    </label>
  );
}
