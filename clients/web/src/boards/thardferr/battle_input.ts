/** The input of the battle calculator: as a form, as a request, and as an address to share. */

import type { Blow } from "warroom-client/games/thardferr";
import { RACES, type Race, UNITS } from "../../generated/thardferr_figures";

export interface Side {
  readonly race: Race;
  readonly army: { readonly [unit: string]: number };
  readonly strategy: string | null;
  readonly techs: { readonly [technology: string]: number };
  readonly buildings: { readonly [building: string]: number };
  readonly land: number;
}

export type Ruleset = "document" | "calculator";

export interface Battle {
  readonly attacker: Side;
  readonly defender: Side;
  readonly max_rounds: number;
  readonly ruleset: Ruleset;
}

/** A stack in a phase of a report; like the event of a match, but with exact values instead of thousandths. */
export type Stack = Blow;

type Counts = { readonly [unit: string]: number };
type Pair<Value> = { readonly attacker: Value; readonly defender: Value };
type Stats = { readonly range: number; readonly short: number; readonly melee: number; readonly defence: number };
type Efficiency = { readonly melee: number | null; readonly defence: number | null; readonly range: number | null };

export interface Report {
  readonly winner: "attacker" | "defender" | "draw";
  readonly ended_by: "casualties" | "retreat" | "quick_retreat";
  readonly rounds: number;
  readonly scaled_defender_army: Counts;
  readonly phases: readonly { readonly round: number; readonly phase: string; readonly stacks: readonly Stack[] }[];
  readonly attacker_before_healing: Counts;
  readonly defender_before_healing: Counts;
  readonly attacker_healing: Counts;
  readonly defender_healing: Counts;
  readonly attacker_final: Counts;
  readonly defender_final: Counts;
  readonly ks: Pair<number>;
  readonly tegc: Pair<number>;
  readonly stats: Pair<{ readonly [unit: string]: Stats }>;
  readonly efficiency: Pair<{ readonly [unit: string]: Efficiency }>;
}

/** An army of a race without techs and buildings. */
export function plainSide(race: Race, army: Counts): Side {
  return { race, army, strategy: null, techs: {}, buildings: {}, land: 20 };
}

export const EXAMPLES: readonly (readonly [name: string, battle: Battle])[] = [
  [
    "First raid",
    {
      attacker: {
        ...plainSide("human", { Knight: 30, Archer: 50 }),
        strategy: "Human Charging!",
        techs: { "Sharper Blades": 2 },
      },
      defender: {
        ...plainSide("orc", { Rusher: 100 }),
        techs: { Fortification: 1 },
        buildings: { Castle: 2, "Medical Center": 10 },
      },
      max_rounds: 1,
      ruleset: "document",
    },
  ],
  [
    "Pikes against riders",
    {
      attacker: plainSide("gnome", { Rider: 60, Balista: 4 }),
      defender: { ...plainSide("human", { Pikeman: 120, Archer: 40 }), strategy: "Anti-Cavalry" },
      max_rounds: 1,
      ruleset: "document",
    },
  ],
  [
    "Arrows on the shield wall",
    {
      attacker: plainSide("elf", { Archer: 120, EliteArcher: 40, Mage: 10 }),
      defender: {
        ...plainSide("dwarf", { Shieldbearer: 40, AxeMan: 60 }),
        strategy: "Dwarf Shield Line",
        buildings: { "Guard Towers": 10 },
      },
      max_rounds: 3,
      ruleset: "document",
    },
  ],
];

/** Return the address at which the server calculates a battle. */
export function addressOf({ ruleset, ...battle }: Battle): string {
  const sent = { ...battle, attacker: tidy(battle.attacker), defender: tidy(battle.defender) };
  return `/api/games/thardferr/battle?ruleset=${ruleset}&battle=${encodeURIComponent(JSON.stringify(sent))}`;
}

function tidy(side: Side): Side {
  return { ...side, army: some(side.army), techs: some(side.techs), buildings: some(side.buildings) };
}

function some(counts: Counts): Counts {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** Return the page address that contains a battle. */
export function hashOf(battle: Battle): string {
  const { ruleset, max_rounds } = battle;
  const sides = { attacker: tidy(battle.attacker), defender: tidy(battle.defender) };
  return `#/x/thardferr/battle?b=${encodeURIComponent(JSON.stringify({ ...sides, max_rounds, ruleset }))}`;
}

/** Return the battle in an address; null if it contains no valid one. */
export function battleOf(hash: string): Battle | null {
  const text = new URLSearchParams(hash.split("?", 2)[1] ?? "").get("b");
  if (!text) return null;
  try {
    const { attacker, defender, max_rounds, ruleset } = JSON.parse(text) as Partial<Battle>;
    if (!isSide(attacker) || !isSide(defender)) return null;
    const rounds = Number.isInteger(max_rounds) ? Number(max_rounds) : 1;
    return { attacker, defender, max_rounds: rounds, ruleset: ruleset === "calculator" ? ruleset : "document" };
  } catch {
    return null;
  }
}

function isSide(side: Side | undefined): side is Side {
  if (!side || typeof side !== "object" || !RACES.includes(side.race)) return false;
  const areCounts = [side.army, side.techs, side.buildings].every(
    (counts) => counts && typeof counts === "object" && Object.values(counts).every(Number.isInteger),
  );
  return areCounts && Number.isInteger(side.land) && (side.strategy === null || typeof side.strategy === "string");
}

/** A side with another race; the numbers stay, unit by unit in table order. */
export function withRace(side: Side, race: Race): Side {
  const numbers = UNITS[side.race].map((unit) => side.army[unit.name] ?? 0);
  const army = Object.fromEntries(UNITS[race].map((unit, index) => [unit.name, numbers[index] ?? 0]));
  return { ...side, race, army };
}
