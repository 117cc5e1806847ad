import { readFileSync } from "node:fs";

import { h, isValidElement, type VNode } from "preact";
import { describe, expect, test } from "vitest";
import type { GameEvent, PublicView, Unit } from "warroom-client/games/timberwall";
import { Fog, Walls } from "../src/boards/timberwall/drawing";
import { durationOf, Effects } from "../src/boards/timberwall/effects";
import { walksOf } from "../src/boards/timberwall/movement";
import type { Sight, Step } from "../src/boards/timberwall/position";

const STYLES = readFileSync(new URL("../src/boards/timberwall/timberwall.css", import.meta.url), "utf8");

interface Drawn {
  readonly type: string;
  readonly props: { readonly class?: string; readonly style?: { readonly stroke?: string } };
}

/** All elements that a part of the board renders to. */
function drawn(node: unknown): Drawn[] {
  if (Array.isArray(node)) return node.flatMap(drawn);
  if (!isValidElement(node)) return [];
  const { type, props } = node as VNode<{ children?: unknown }>;
  if (typeof type === "function") return drawn((type as (props: unknown) => unknown)(props));
  return [{ type: String(type), props: props as Drawn["props"] }, ...drawn(props.children)];
}

function holding(...units: readonly (readonly [number, number, number])[]) {
  const stand = units.map(([x, y, points]): Unit => ({ x, y, points, still: 0, forest: 0 }));
  return { wood: 0, reserves: 0, has_built: false, units: stand };
}

function view(...units: readonly (readonly [number, number, number])[]): PublicView {
  const board = { holdings: [holding(...units), holding()], neutral_walls: [], walls: [], cooling: [] };
  return {
    options: { size: 10 },
    colors: ["green", "red"],
    bases: [
      { x: 1, y: 1, hp: 100 },
      { x: 8, y: 8, hp: 100 },
    ],
    board,
  } as unknown as PublicView;
}

function step(events: readonly GameEvent[], before = view(), after = view()): Step {
  return { public: after, private: null, privates: [], events, before: { public: before, private: null }, serial: 1 };
}

const MOVE: GameEvent = { type: "move", seat: 0, source: [4, 4], target: [5, 4], points: 4 };
const MERGE: GameEvent = { type: "merge", seat: 0, source: [4, 4], target: [5, 4], points: 5, rest: null };
const EDGE = { x: 5, y: 5, side: "east" } as const;
const EVENTS: readonly GameEvent[] = [
  MOVE,
  MERGE,
  {
    type: "attack",
    seat: 0,
    source: [4, 4],
    target: [5, 4],
    attacker: 6,
    defender: 2,
    roll: 10,
    luck: 2,
    shield: 0,
    support: 0,
    draw: null,
    attacker_left: 4,
    defender_left: 0,
  },
  { type: "base_hit", seat: 0, source: [4, 4], damage: 4, hp: 96, is_spent: false },
  { type: "wall_hit", seat: 0, source: [5, 5], ...EDGE, damage: 34, hp: 66 },
  { type: "wall_built", seat: 1, ...EDGE },
  { type: "wall_removed", seat: 0, ...EDGE },
  { type: "deploy", seat: 0, target: [2, 2], points: 1 },
];

/** The classes that the style sheet animates. */
const MOVING = new Set(
  [...STYLES.matchAll(/([^{}]+)\{[^{}]*\banimation: (tw-\w+)/g)].flatMap(([, selectors = "", name]) =>
    STYLES.includes(`@keyframes ${name} {`) ? [...selectors.matchAll(/\.(tw-\w+)/g)].map((found) => found[1]) : [],
  ),
);

function effects(event: GameEvent): Drawn[] {
  const moment = step([event], view([4, 4, 4], [5, 4, 1]));
  return drawn(h(Effects, { moment, walks: walksOf(moment), pace: 1 }));
}

describe("animated steps:", () => {
  test.each(EVENTS.map((event) => [event.type, event] as const))("%s", (_, event) => {
    expect(durationOf([event])).toBeGreaterThan(0);
    const classes = effects(event).flatMap((each) => each.props.class?.split(" ") ?? []);
    expect(classes.filter((name) => MOVING.has(name))).not.toEqual([]);
  });

  test("walls in the colour of their owner", () => {
    const strokes = (["wall_built", "wall_removed"] as const).map((type) =>
      effects(EVENTS.find((event) => event.type === type) ?? MOVE)
        .filter((each) => each.props.class?.includes("tw-wall"))
        .map((each) => each.props.style?.stroke),
    );
    expect(strokes).toEqual([["var(--red)"], ["var(--green)"]]);
  });
});

describe("walks", () => {
  const ends = { seat: 0, source: { x: 4, y: 4 }, target: { x: 5, y: 4 } };

  test("have the points of the moving unit and of the unit it meets", () => {
    const before = view([4, 4, 4], [5, 4, 1]);
    expect(walksOf(step([MOVE], before))).toEqual([{ ...ends, points: 4, met: null }]);
    expect(walksOf(step([MERGE], before))).toEqual([{ ...ends, points: 4, met: 1 }]);
  });

  test("leave the points above the maximum of a unit behind", () => {
    const merge = { ...MERGE, points: 500, rest: 100 };
    expect(walksOf(step([merge], view([4, 4, 300], [5, 4, 300])))).toEqual([{ ...ends, points: 200, met: 300 }]);
  });

  test("with one end in the fog are not drawn", () => {
    expect(walksOf(step([{ ...MOVE, source: null }]))).toEqual([]);
    expect(walksOf(step([MERGE]))).toEqual([]);
  });
});

const NOTHING: Sight = { units: [], neutral: [], walls: [], cooling: [], stores: [null, null], tiles: null };

test("the fog dims tiles out of sight and hides unexplored ones", () => {
  const sight = { ...NOTHING, tiles: ["..--", "-???", "...."] };
  const covers = drawn(h(Fog, { sight })).map(({ props }) => props as Record<string, unknown>);
  expect(covers.map((each) => [each.class, each.x, each.y, each.width])).toEqual([
    ["tw-fog", undefined, undefined, undefined],
    ["tw-dim", 120, 0, 120],
    ["tw-dim", 0, 60, 60],
    ["tw-unknown", 60, 60, 180],
  ]);
});

test("walls have their owners' colours; neutral walls have their own", () => {
  const sight: Sight = {
    ...NOTHING,
    neutral: [{ x: 3, y: 3, side: "south" }],
    walls: [0, 1].map((owner) => ({ ...EDGE, x: owner, owner, hp: 100 })),
  };
  const lines = drawn(h(Walls, { view: view(), sight })).filter((each) => each.type === "line");
  expect(lines.map((each) => each.props.style?.stroke ?? each.props.class)).toEqual([
    "tw-neutral",
    "var(--green)",
    "var(--red)",
  ]);
});
