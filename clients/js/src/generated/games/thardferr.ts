// Written by tools/generate_types.py from the Python types; change those, then run `./dev page`.

/** The public view. */
export interface PublicView {
  readonly options: Options;
  readonly picked: readonly boolean[];
  readonly kingdoms: readonly Standing[];
  readonly out: readonly number[];
  readonly seat: number | null;
  readonly turn: number;
  readonly round: number;
  readonly latest: Battle | null;
  readonly ended: "cap" | "victory" | null;
}

/** The races, the length of a turn and of a match, and the ruleset of battles. */
export interface Options {
  readonly race_1: "dwarf" | "elf" | "gnome" | "human" | "orc" | "pick" | "undead";
  readonly race_2: "dwarf" | "elf" | "gnome" | "human" | "orc" | "pick" | "undead";
  readonly race_3: "dwarf" | "elf" | "gnome" | "human" | "orc" | "pick" | "undead";
  readonly race_4: "dwarf" | "elf" | "gnome" | "human" | "orc" | "pick" | "undead";
  readonly race_5: "dwarf" | "elf" | "gnome" | "human" | "orc" | "pick" | "undead";
  readonly race_6: "dwarf" | "elf" | "gnome" | "human" | "orc" | "pick" | "undead";
  readonly days_per_turn: number;
  readonly max_turns: number;
  readonly ruleset: "calculator" | "document";
  readonly peace_rounds: number;
  readonly order: "fixed" | "rotating";
  readonly battle_rounds: number;
}

/** The public part of a kingdom. */
export interface Standing {
  readonly race: "dwarf" | "elf" | "gnome" | "human" | "orc" | "undead";
  readonly land: number;
  readonly castles: number;
  readonly strength: number;
}

/** The public part of a battle. */
export interface Battle {
  readonly turn: number;
  readonly attacker: number;
  readonly target: number;
  readonly outcome: "attacker" | "defender" | "draw";
  readonly land: number;
}

/** The private view of a seat. */
export interface PrivateView {
  readonly pick: "dwarf" | "elf" | "gnome" | "human" | "orc" | "undead" | null;
  readonly kingdom: Kingdom | null;
  readonly forecast: Forecast | null;
  readonly scouted: Glimpse | null;
  readonly records: readonly Record[];
  readonly course: Course | null;
}

/** The ledger of a kingdom. */
export interface Kingdom {
  readonly race: "dwarf" | "elf" | "gnome" | "human" | "orc" | "undead";
  readonly land: number;
  readonly buildings: Buildings;
  readonly army: readonly Troop[];
  readonly stores: Stores;
  readonly workers: Workers;
  readonly technologies: readonly Learned[];
  readonly project: Project | null;
  readonly strategy: string | null;
  readonly can_train: boolean;
}

/** The number of buildings of each kind. */
export interface Buildings {
  readonly castle: number;
  readonly house: number;
  readonly farm: number;
  readonly mine: number;
  readonly mill: number;
  readonly forge: number;
  readonly market: number;
  readonly guard_house: number;
  readonly school: number;
  readonly guard_towers: number;
  readonly medical_center: number;
  readonly training_center: number;
  readonly advanced_training_center: number;
}

/** The units of one kind: those present, and those that arrive at the start of the next turn. */
export interface Troop {
  readonly unit: string;
  readonly count: number;
  readonly training: number;
}

/** Gold and goods. */
export interface Stores {
  readonly gold: number;
  readonly iron: number;
  readonly wood: number;
  readonly food: number;
}

/** The number of peasants in each job. */
export interface Workers {
  readonly mine: number;
  readonly lumber: number;
  readonly agriculture: number;
  readonly blacksmithing: number;
}

/** A technology and its level. */
export interface Learned {
  readonly technology: string;
  readonly level: number;
}

/** A technology under research. */
export interface Project {
  readonly technology: string;
  readonly days_left: number;
}

/** The results of a ledger, for the days of one turn. */
export interface Forecast {
  readonly income: Stores;
  readonly upkeep: Stores;
  readonly peasants: number;
  readonly soldier_room: number;
  readonly mage_room: number;
  readonly slots: number;
  readonly castle_cap: number;
  readonly capacity: { readonly [key: string]: number };
}

/** The ledger of another kingdom, for the turn in which it was scouted. */
export interface Glimpse {
  readonly seat: number;
  readonly kingdom: Kingdom;
}

/** A battle as both kingdoms remember it. */
export interface Record {
  readonly turn: number;
  readonly attacker: number;
  readonly target: number;
  readonly attacker_strategy: string | null;
  readonly target_strategy: string | null;
  readonly outcome: "attacker" | "defender" | "draw";
  readonly land: number;
  readonly attackers: readonly Tally[];
  readonly defenders: readonly Tally[];
}

/** The fate of one kind of unit in a battle. */
export interface Tally {
  readonly unit: string;
  readonly army: number;
  readonly field: number;
  readonly lost: number;
  readonly healed: number;
}

/** The course of a battle, phase by phase, and the reason of its end. */
export interface Course {
  readonly ended_by: "casualties" | "quick_retreat" | "retreat";
  readonly clashes: readonly Clash[];
}

/** One phase of a battle. */
export interface Clash {
  readonly round: number;
  readonly phase: "melee" | "range" | "short";
  readonly blows: readonly Blow[];
}

/** What happened to one stack in one phase; `raw` to `defence` in thousandths. */
export interface Blow {
  readonly side: "attacker" | "defender";
  readonly unit: string;
  readonly count: number;
  readonly raw: number;
  readonly mitigation: number;
  readonly reduction: number;
  readonly damage: number;
  readonly defence: number;
  readonly lost: number;
  readonly effects: readonly string[];
}

/** A seat has picked its race; the others do not learn yet which one (nil). */
export interface PickedEvent {
  readonly type: "pick";
  readonly seat: number;
  readonly race: "dwarf" | "elf" | "gnome" | "human" | "orc" | "undead" | null;
}

/** All races are picked, and the kingdoms exist. */
export interface FoundedEvent {
  readonly type: "founding";
  readonly races: readonly ("dwarf" | "elf" | "gnome" | "human" | "orc" | "undead")[];
}

/** The next seat's turn began. */
export interface TurnBeganEvent {
  readonly type: "turn";
  readonly seat: number;
  readonly turn: number;
  readonly round: number;
}

/** A seat's turn is over: it ended the turn, attacked, or resigned. */
export interface TurnEndedEvent {
  readonly type: "turn_end";
  readonly seat: number;
  readonly turn: number;
  readonly reason: "attacked" | "ended" | "resigned";
}

/** Units finished their training. */
export interface ArrivedEvent {
  readonly type: "arrival";
  readonly seat: number;
  readonly units: { readonly [key: string]: number };
}

/** A research is complete. */
export interface LearntEvent {
  readonly type: "learning";
  readonly seat: number;
  readonly technology: string;
  readonly level: number;
}

/** The income of a turn's days, and the upkeep that was paid from it. */
export interface ProducedEvent {
  readonly type: "production";
  readonly seat: number;
  readonly made: Stores;
  readonly paid: Stores;
}

/** The upkeep could not be paid: what is missing, and which units left. */
export interface DesertedEvent {
  readonly type: "desertion";
  readonly seat: number;
  readonly missing: Stores;
  readonly units: { readonly [key: string]: number };
}

/** Buildings were built. */
export interface BuiltEvent {
  readonly type: "building";
  readonly seat: number;
  readonly building: "advanced_training_center" | "castle" | "farm" | "forge" | "guard_house" | "guard_towers" | "house" | "market" | "medical_center" | "mill" | "mine" | "school" | "training_center";
  readonly count: number;
}

/** Buildings were razed. */
export interface RazedEvent {
  readonly type: "razing";
  readonly seat: number;
  readonly building: "advanced_training_center" | "castle" | "farm" | "forge" | "guard_house" | "guard_towers" | "house" | "market" | "medical_center" | "mill" | "mine" | "school" | "training_center";
  readonly count: number;
}

/** Units began their training. */
export interface EnlistedEvent {
  readonly type: "training";
  readonly seat: number;
  readonly unit: string;
  readonly count: number;
}

/** The peasants have other jobs. */
export interface AssignedEvent {
  readonly type: "assignment";
  readonly seat: number;
  readonly workers: Workers;
}

/** A research began. */
export interface ResearchingEvent {
  readonly type: "research";
  readonly seat: number;
  readonly technology: string;
  readonly days: number;
}

/** Something was bought or (negative numbers) sold. */
export interface TradedEvent {
  readonly type: "trade";
  readonly seat: number;
  readonly good: string;
  readonly count: number;
  readonly gold: number;
}

/** The kingdom has another defence strategy. */
export interface PreparedEvent {
  readonly type: "strategy";
  readonly seat: number;
  readonly strategy: string | null;
}

/** A seat looks at the ledger of another. */
export interface SpiedEvent {
  readonly type: "scouting";
  readonly seat: number;
  readonly target: number;
}

/** A battle: the winner, and the land that it took. */
export interface AttackedEvent {
  readonly type: "attack";
  readonly seat: number;
  readonly target: number;
  readonly outcome: "attacker" | "defender" | "draw";
  readonly land: number;
  readonly is_bottom_feeding: boolean;
}

/** The course of a battle, for both sides of it. */
export interface FoughtEvent {
  readonly type: "battle";
  readonly seat: number;
  readonly target: number;
  readonly ended_by: "casualties" | "quick_retreat" | "retreat";
  readonly clashes: readonly Clash[];
  readonly record: Record;
}

/** Buildings were lost with the land they stood on. */
export interface RuinedEvent {
  readonly type: "ruin";
  readonly seat: number;
  readonly buildings: { readonly [key: string]: number };
}

/** A kingdom has too little land left, because of *by*. */
export interface FellEvent {
  readonly type: "fall";
  readonly seat: number;
  readonly by: number;
}

/** A player left; the kingdom stays and defends itself. */
export interface ResignedEvent {
  readonly type: "resignation";
  readonly seat: number;
}

/** The match is over: the rank of each seat, and whether the victory rule or the limit of turns ended it. */
export interface EndedEvent {
  readonly type: "end";
  readonly ranks: readonly number[];
  readonly reason: "cap" | "victory";
}

/** Choose the race of the own kingdom, before the first turn. */
export interface PickRace {
  readonly type: "pick_race";
  readonly race: "dwarf" | "elf" | "gnome" | "human" | "orc" | "undead";
}

/** Build buildings of one kind. */
export interface Build {
  readonly type: "build";
  readonly building: string;
  readonly count?: number;
}

/** Raze buildings of one kind. */
export interface Raze {
  readonly type: "raze";
  readonly building: string;
  readonly count?: number;
}

/** Train units, which arrive at the start of the next own turn. */
export interface Train {
  readonly type: "train";
  readonly unit: string;
  readonly count?: number;
}

/** Assign the peasants to jobs. */
export interface Assign {
  readonly type: "assign";
  readonly mine: number;
  readonly lumber: number;
  readonly agriculture: number;
  readonly blacksmithing?: number;
}

/** Pay for the next level of a technology. */
export interface Research {
  readonly type: "research";
  readonly technology: string;
}

/** Buy at the market. */
export interface Buy {
  readonly type: "buy";
  readonly good: "food" | "iron" | "wood";
  readonly count: number;
}

/** Sell at the market. */
export interface Sell {
  readonly type: "sell";
  readonly good: "food" | "iron" | "wood";
  readonly count: number;
}

/** Choose the strategy for the kingdom's defence, or none. */
export interface SetStrategy {
  readonly type: "set_strategy";
  readonly strategy: string | null;
}

/** Look at the ledger of another kingdom for the rest of the turn. */
export interface Scout {
  readonly type: "scout";
  readonly seat: number;
}

/** Lead an army against another kingdom, which ends the turn. */
export interface Attack {
  readonly type: "attack";
  readonly target: number;
  readonly army: { readonly [key: string]: number };
  readonly strategy?: string | null;
}

/** End the turn. */
export interface EndTurn {
  readonly type: "end_turn";
}

export type GameEvent =
  | PickedEvent
  | FoundedEvent
  | TurnBeganEvent
  | TurnEndedEvent
  | ArrivedEvent
  | LearntEvent
  | ProducedEvent
  | DesertedEvent
  | BuiltEvent
  | RazedEvent
  | EnlistedEvent
  | AssignedEvent
  | ResearchingEvent
  | TradedEvent
  | PreparedEvent
  | SpiedEvent
  | AttackedEvent
  | FoughtEvent
  | RuinedEvent
  | FellEvent
  | ResignedEvent
  | EndedEvent;

export type Action = PickRace | Build | Raze | Train | Assign | Research | Buy | Sell | SetStrategy | Scout | Attack | EndTurn;
