import { describe, expect, test } from "vitest";
import type { GameListing } from "warroom-client";
import type { Forecast, FoughtEvent, GameEvent, Kingdom, PublicView } from "warroom-client/games/thardferr";
import type { Table } from "../src/boards/board";
import { addressOf, battleOf, EXAMPLES, hashOf, plainSide, withRace } from "../src/boards/thardferr/battle_input";
import { scaleOf } from "../src/boards/thardferr/battle_report";
import { durationOf } from "../src/boards/thardferr/battle_scene";
import { effectOf } from "../src/boards/thardferr/effect_texts";
import { keyMoment, type Memory, NOTHING, remember, tell, whoseTurn } from "../src/boards/thardferr/events";
import { turnsLeft } from "../src/boards/thardferr/kingdoms";
import {
  affordable,
  bestWorkers,
  buildable,
  missing,
  spread,
  total,
  trainable,
  trees,
  whyNoResearch,
} from "../src/boards/thardferr/limits";
import { spoken } from "../src/boards/thardferr/numbers";
import { BUILDINGS, RACES, TECHNOLOGIES, UNITS } from "../src/generated/thardferr_figures";

const STORES = { gold: 60_000, iron: 1_500, wood: 1_500, food: 8_000 };
const NONE = { gold: 0, iron: 0, wood: 0, food: 0 };

function kingdom(changes: Partial<Kingdom> = {}): Kingdom {
  return {
    race: "human",
    land: 20,
    buildings: {
      castle: 1,
      house: 40,
      farm: 20,
      mine: 10,
      mill: 10,
      forge: 10,
      market: 10,
      guard_house: 10,
      school: 10,
      guard_towers: 0,
      medical_center: 0,
      training_center: 5,
      advanced_training_center: 5,
    },
    army: UNITS.human.map((unit) => ({ unit: unit.name, count: 10, training: 0 })),
    stores: STORES,
    workers: { mine: 1000, lumber: 850, agriculture: 1200, blacksmithing: 800 },
    technologies: [],
    project: null,
    strategy: null,
    can_train: true,
    ...changes,
  };
}

const FORECAST: Forecast = {
  income: { ...NONE, gold: 3_000 },
  upkeep: { ...NONE, food: 3_000 },
  peasants: 4_000,
  soldier_room: 400,
  mage_room: 400,
  slots: 200,
  castle_cap: 3,
  capacity: Object.fromEntries(UNITS.human.map((unit) => [unit.name, 20])),
};

const TABLE: Table = {
  game: "thardferr",
  options: {},
  seats: [],
  seat: 0,
  isOver: false,
  name: (seat) => (seat === 0 ? "you" : `Ada`),
};

describe("affordable amounts", () => {
  test("is bound by the scarcest good", () => {
    expect(affordable(STORES, { gold: 1_000, iron: 500 })).toBe(3);
    expect(affordable(STORES, { gold: 100_000 })).toBe(0);
    expect(missing(STORES, { gold: 60_500, iron: 1_500, wood: 1_600 })).toBe("needs 500 more gold, 100 more wood");
    expect(missing(STORES, { gold: 1 })).toBe("");
  });

  test.each(Object.keys(BUILDINGS) as (keyof Kingdom["buildings"])[])("%s is built on free land", (kind) => {
    expect(buildable(kingdom(), FORECAST, kind).most).toBeGreaterThan(0);
    const full = buildable(kingdom(), { ...FORECAST, slots: 130, castle_cap: 1 }, kind);
    expect([full.most, full.why]).toEqual([0, expect.stringMatching(/land/)]);
    const poor = buildable(kingdom({ stores: NONE }), FORECAST, kind);
    expect([poor.most, poor.why]).toEqual([0, expect.stringMatching(/^needs .* more gold/)]);
  });

  test("training ends with capacity, room, gold or an unpaid upkeep", () => {
    const most = (changes: Partial<Kingdom>, forecast: Partial<Forecast> = {}) =>
      trainable(kingdom(changes), { ...FORECAST, ...forecast }, "Archer");
    expect(most({}).most).toBe(20);
    expect(most({}, { soldier_room: 63 }).most).toBe(3);
    expect(most({}, { soldier_room: 60 }).why).toBe("no room: build a Guard House");
    expect(most({}, { capacity: {} }).why).toBe("needs 3 × Training Center");
    expect(most({ can_train: false }).why).toMatch("upkeep");
    expect(most({ stores: { ...STORES, gold: 500 } }).most).toBe(2);
  });
});

describe("research", () => {
  test("shows every technology of a race once, trees in their order", () => {
    for (const race of RACES) {
      const rows = trees(race);
      const names = rows.flat().map((each) => each.name);
      const own = TECHNOLOGIES.filter((each) => each.race === null || each.race === race).map((each) => each.name);
      expect([...names].sort()).toEqual([...own].sort());
      for (const row of rows.slice(0, -1)) {
        expect(row.slice(1).map((each) => each.after)).toEqual(row.slice(0, -1).map((each) => each.name));
      }
    }
  });

  test("says why one cannot be begun", () => {
    const [field, conversion] = trees("human")[0] ?? [];
    if (!field || !conversion) throw new Error("the first tree has entries");
    expect(whyNoResearch(kingdom(), field)).toBe("");
    expect(whyNoResearch(kingdom(), conversion)).toBe(`after ${field.name}`);
    expect(whyNoResearch(kingdom({ stores: NONE }), field)).toMatch(/^needs/);
    expect(whyNoResearch(kingdom({ project: { technology: "Habitation", days_left: 9 } }), field)).toMatch(
      "Habitation",
    );
    expect(whyNoResearch(kingdom({ technologies: [{ technology: field.name, level: 1 }] }), field)).toBe("known");
  });
});

describe("peasants", () => {
  test("fill one job first, never more than there are or than is best", () => {
    const best = bestWorkers(kingdom());
    expect(best).toEqual({ mine: 1000, lumber: 850, agriculture: 1200, blacksmithing: 800 });
    for (const peasants of [0, 1, 700, 2000, 9000]) {
      for (const first of [null, "mine", "lumber", "agriculture"] as const) {
        const given = spread(best, peasants, first);
        expect(total(given)).toBe(Math.min(peasants, 3050));
        if (first) expect(given[first]).toBe(Math.min(peasants, best[first]));
      }
    }
  });

  test("a store that shrinks has turns left", () => {
    expect(turnsLeft(kingdom(), FORECAST, "food")).toBe(2);
    expect(turnsLeft(kingdom(), FORECAST, "gold")).toBeNull();
  });
});

describe("event texts", () => {
  const attack: GameEvent = {
    type: "attack",
    seat: 0,
    target: 1,
    outcome: "attacker",
    land: 5,
    is_bottom_feeding: false,
  };

  test("speaks to the own seat", () => {
    expect(tell(attack, TABLE)).toBe("You attack Ada: victory, and 5 land");
    expect(tell({ type: "fall", seat: 1, by: 0 }, TABLE)).toBe("Ada falls, beaten by you");
    expect(tell({ type: "trade", seat: 0, good: "iron", count: -200, gold: 10_000 }, TABLE)).toBe(
      "You sell 200 iron for 10,000 gold",
    );
    expect(tell({ type: "turn_end", seat: 0, turn: 3, reason: "ended" }, TABLE)).toBeNull();
  });

  test("a fall is worth more than the battle that brought it", () => {
    expect(keyMoment([attack, { type: "fall", seat: 1, by: 0 }], TABLE)).toMatch("falls");
    expect(keyMoment([{ type: "turn", seat: 1, turn: 2, round: 1 }], TABLE)).toBeNull();
    expect(durationOf([attack])).toBeGreaterThan(0);
    expect(durationOf([{ type: "turn", seat: 1, turn: 2, round: 1 }])).toBe(0);
  });

  test("units have names that can be read", () => {
    expect(spoken("AbominationCaragous")).toBe("Abomination Caragous");
  });
});

describe("news", () => {
  const attack = (seat: number, target: number): GameEvent => ({
    type: "attack",
    seat,
    target,
    outcome: "draw",
    land: 0,
    is_bottom_feeding: false,
  });
  const turnEnd = (seat: number): GameEvent => ({ type: "turn_end", seat, turn: 3, reason: "ended" });
  const built: GameEvent = { type: "building", seat: 0, building: "farm", count: 1 };

  const battle = (turn: number) => ({ type: "battle", seat: 1, target: 0, record: { turn } }) as unknown as FoughtEvent;

  function heardBy(seat: number | null, ...steps: readonly (readonly GameEvent[])[]): Memory {
    return steps.reduce((known, events, serial) => remember({ events, serial }, known, seat), NOTHING);
  }

  /** The unread news after some steps. */
  function toRead(...steps: Parameters<typeof heardBy>): GameEvent[] {
    return heardBy(...steps).news.flatMap(({ events }) => [...events]);
  }

  test("of several neighbours stay through the orders of the own turn, the last first, and go when it ends", () => {
    const others = [
      [attack(1, 0), turnEnd(1)],
      [attack(2, 0), turnEnd(2)],
    ];
    expect(toRead(0, ...others, [built], [built])).toEqual([attack(2, 0), attack(1, 0)]);
    expect(toRead(0, ...others, [built], [attack(0, 1), turnEnd(0)])).toEqual([attack(0, 1)]);
    expect(toRead(0, ...others, [turnEnd(0)])).toEqual([]);
  });

  test("are those of the last turn for spectators", () => {
    expect(toRead(null, [attack(1, 0), turnEnd(1)], [built])).toEqual([attack(1, 0)]);
    expect(toRead(null, [attack(1, 0), turnEnd(1)], [built], [turnEnd(0)])).toEqual([]);
  });

  test("stay if a step brings none, and cover few steps for viewers without turns", () => {
    const once = heardBy(0, [attack(1, 0)]);
    expect(remember({ events: [built], serial: 5 }, once, 0)).toBe(once);
    const many = Array.from({ length: 20 }, () => [attack(1, 2)]);
    expect(heardBy(0, ...many).news.map(({ serial }) => serial)).toEqual([19, 18, 17, 16, 15, 14]);
  });

  test("are put away when the own turn ends, and the courses of battles are still known", () => {
    const known = heardBy(0, [attack(1, 0), battle(3), turnEnd(1)], [turnEnd(0)]);
    expect(known).toEqual({ news: [], battles: [battle(3)] });
    const later = heardBy(0, ...Array.from({ length: 20 }, (_, turn) => [battle(turn)]));
    expect(later.battles.at(-1)).toEqual(battle(19));
    expect(later.battles.length).toBeLessThan(10);
  });

  test("have a name for viewers who see all realms", () => {
    const pick: GameEvent = { type: "pick", seat: 0, race: "orc" };
    const learning: GameEvent = { type: "learning", seat: 0, technology: "Commerce", level: 1 };
    const spectator: Table = { ...TABLE, seat: null, name: () => "Ada" };
    expect([tell(pick, TABLE), tell(learning, TABLE)]).toEqual(["Your race: orc", "Commerce is known, level 1"]);
    expect([tell(pick, spectator), tell(learning, spectator)]).toEqual([
      "Ada’s race: orc",
      "Ada: Commerce is known, level 1",
    ]);
  });
});

test("nobody is to act in a resigned match", () => {
  const view = { seat: 1, ended: null } as PublicView;
  expect(whoseTurn(view, TABLE)).toBe("It is Ada’s turn.");
  expect(whoseTurn(view, { ...TABLE, isOver: true })).toBe("The match is over.");
});

describe("a battle on paper", () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [7, [0, 2, 4, 6, 8]],
    [80, [0, 20, 40, 60, 80]],
    [81, [0, 50, 100]],
    [1_000, [0, 500, 1_000]],
  ])("has a scale of round numbers up to %i", (most, expected) => expect(scaleOf(most)).toEqual(expected));

  test.each(EXAMPLES)("%s is shared by its address", (_, battle) => {
    expect(battleOf(hashOf(battle))).toEqual(battle);
    const sent = new URL(addressOf(battle), "http://x").searchParams;
    expect(sent.get("ruleset")).toBe("document");
    expect(Object.keys(JSON.parse(sent.get("battle") ?? ""))).toEqual(["attacker", "defender", "max_rounds"]);
  });

  test.each(["", "#/x/thardferr/battle", "#/x?b=7", "#/x?b={", '#/x?b={"attacker":{"race":"troll"}}'])(
    "%s holds none",
    (hash) => expect(battleOf(hash)).toBeNull(),
  );

  test("an army keeps its numbers when it changes its race", () => {
    const side = withRace(plainSide("human", { Knight: 3, Archer: 5 }), "orc");
    expect(side.army).toMatchObject({ ShadowWarrior: 3, Slinger: 5 });
    expect(withRace(side, "human").army).toMatchObject({ Knight: 3, Archer: 5 });
  });
});

test("effects of buildings and technologies come from the schema of actions", () => {
  const technology = { $defs: { Barrack: { const: "Barrack", description: "more room" } } };
  const actions = { $defs: { Research: { properties: { technology } } } };
  const game = { game: "thardferr", actions } as unknown as GameListing;
  expect(effectOf(game, "Research", "technology", "Barrack")).toBe("more room");
  expect(effectOf(game, "Research", "technology", "Alchemy")).toBe("");
  expect(effectOf(game, "Build", "building", "farm")).toBe("");
  expect(effectOf(undefined, "Research", "technology", "Barrack")).toBe("");
});
