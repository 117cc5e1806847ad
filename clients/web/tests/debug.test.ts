/** The parts of the inspector that need no browser: JSON sockets, places in JSON text, and the local match. */

import { describe, expect, test } from "vitest";
import { decodeServer } from "warroom-client/wire";
import { goldenFrames } from "../../js/tests/documents";
import { JsonError, lineOf, placesIn } from "../src/debug/json_places";
import { fromTwin, JsonSocket, type TextSocket, toTwin } from "../src/debug/json_socket";
import { isSame } from "../src/debug/json_tree";
import { type Asking, inShort, type Keeping, LocalMatch, newSetup } from "../src/debug/local_match";
import { type Choice, type Failure, type Move, matchText, type Setup, type Steps } from "../src/debug/questions";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const unhex = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "hex"));

describe("the JSON twin", () => {
  const WORKERS = ["summon", "work", "claim"]; // a page runs no bots
  const frames = goldenFrames().filter((frame) => !WORKERS.includes(String(frame.json.type)));

  test.each(frames.map((frame) => [frame.name, frame] as const))("%s", (_, frame) => {
    if (frame.direction === "client") expect(JSON.parse(toTwin(unhex(frame.hex)))).toEqual(frame.json);
    else expect(hex(fromTwin(JSON.stringify(frame.json)))).toBe(frame.hex);
  });

  test("a message of a newer server is passed over", () => {
    expect(decodeServer(fromTwin('{"type":"dance","step":1}'))).toBeNull();
  });

  test.each([
    ["lacks a field", '{"type":"said","room":1}', "the field room is missing"],
    ["holds something else", '{"type":"games","ref":1,"games":3}', "the field ref is missing"],
    ["has no name", "3", "a message begins with its name"],
    ["is not JSON", "{", "a message begins with its name"],
  ])("a message that %s is an error of the connection", (_, text, why) => {
    expect(() => decodeServer(fromTwin(text))).toThrow(why);
  });

  test("a socket gives the session bytes and sends text", () => {
    const sent: unknown[] = [];
    const got: string[] = [];
    const inner: TextSocket = {
      onopen: null,
      onclose: null,
      onerror: null,
      onmessage: null,
      send: (text) => sent.push(text),
      close: () => sent.push("closed"),
    };
    const socket = new JsonSocket(inner);
    socket.onmessage = (event: MessageEvent<ArrayBuffer>) => got.push(hex(new Uint8Array(event.data)));
    socket.onclose = (event: CloseEvent) => got.push(`closed ${event.code}`);
    socket.send(unhex("92a470696e6707"));
    inner.onmessage?.call({} as WebSocket, new MessageEvent("message", { data: '{"type":"pong","ref":7}' }));
    inner.onmessage?.call({} as WebSocket, new MessageEvent("message", { data: '{"type":"dance"}' }));
    inner.onclose?.call({} as WebSocket, { code: 1001 } as CloseEvent);
    socket.close();
    expect(sent).toEqual(['{"type":"ping","ref":7}', "closed"]);
    expect(got).toEqual(["92a4706f6e6707", "91a564616e6365", "closed 1001"]);
  });
});

describe("places in JSON text", () => {
  const text = '{\n  "hands": [[1, 2], []],\n  "name": "a\\"b", "deck": {"left": -1.5e3}\n}\n';

  test.each([
    ["$.hands", "[[1, 2], []]"],
    ["$.hands[0][1]", "2"],
    ["$.hands[1]", "[]"],
    ["$.name", '"a\\"b"'],
    ["$.deck.left", "-1.5e3"],
  ])("%s", (path, value) => {
    const place = placesIn(text).get(path);
    expect(place && text.slice(place.start, place.end)).toBe(value);
  });

  test("the whole text is the root", () => {
    expect(placesIn(" 7 ").get("$")).toEqual({ start: 1, end: 2 });
  });

  test.each([
    ["", 0, "a value"],
    ["{", 1, "a key in quotes"],
    ['{"a" 1}', 5, "a colon"],
    ["[1 2]", 3, "a comma or ]"],
    ["[1,]", 3, "a value"],
    ['{"a":1,}', 7, "a key in quotes"],
    ["1 2", 2, "the end"],
    ["01", 0, "a value"],
    ["nulls", 0, "a value"],
    ['"\t"', 0, "a value"],
    ['"\\x"', 0, "a value"],
  ])("%j breaks off", (wrong, at, expected) => {
    expect(() => JSON.parse(wrong)).toThrow();
    try {
      placesIn(wrong);
    } catch (error) {
      expect(error).toBeInstanceOf(JsonError);
      expect([(error as JsonError).at, (error as JsonError).message]).toEqual([at, `expected ${expected}`]);
      return;
    }
    expect.unreachable();
  });

  test("lines and columns count from 1", () => {
    expect([lineOf("ab\ncd", 0), lineOf("ab\ncd", 3), lineOf("ab\ncd", 5)]).toEqual([
      "line 1, column 1",
      "line 2, column 1",
      "line 2, column 3",
    ]);
  });
});

test.each([
  [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [[1, 2], [1], false],
  [[], {}, false],
  [0, false, false],
  [{ a: 1 }, { b: 1 }, false],
])("%j and %j are the same: %s", (one, other, same) => {
  expect(isSame(one, other)).toBe(same);
});

test("an action is one line with its type first", () => {
  expect(inShort({ source: [0, 1], type: "move", unit: "Knight" })).toBe("move source [0,1] unit Knight");
  expect(inShort(7)).toBe("7");
});

test("an edited state keeps all digits of its numbers", () => {
  const moves: Move[] = [
    { type: "edit", text: '{"n": 12345678901234567890}' },
    { type: "clock", seat: 1 },
  ];
  expect(matchText({ ...newSetup("a"), moves })).toContain(
    '"moves":[{"type":"edit","state":{"n": 12345678901234567890}},{"type":"clock","seat":1}]',
  );
});

/** An inspector of a game in which two seats act in turn, seat 0 first, and `bad` is refused. */
class Inspector implements Asking {
  readonly asked: (readonly [number, number, number])[] = [];
  why: string | null = null;
  private release: (() => void) | null = null;

  async show({ moves, ...setup }: Setup, first: number, last: number): Promise<Steps> {
    this.asked.push([moves.length, first, last]);
    if (this.release) await new Promise<void>((resolve) => setTimeout(resolve));
    if (this.why) throw new Error(this.why);
    const wrong = moves.findIndex((move) => move.type === "act" && move.action === "bad");
    const known = wrong < 0 ? moves.length : wrong;
    const to = Math.min(last, known);
    const failure: Failure | null = wrong < 0 ? null : { move: wrong, code: "act.bad", text: "it is bad", path: "" };
    const choices: Choice[] = [{ seat: to % 2, actions: ["good"], notes: [], default: "good" }];
    return {
      type: "steps",
      rules_version: 1,
      seats: 2,
      options: setup.options,
      complete: true,
      turns: Array.from({ length: known + 1 }, (_, step) => step),
      steps: Array.from({ length: to - Math.min(first, to) + 1 }, (_, index) => ({
        step: Math.min(first, to) + index,
        turn: 1,
        at: 0,
        asked: [to % 2],
        state: "{}",
        public: null,
        private: [null, null],
        events: [],
        result: null,
      })),
      choices,
      failure,
    };
  }

  async read(): Promise<never> {
    throw new Error("this is not a replay");
  }

  async write(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array([1]);
  }

  /** From now on answers take a while. */
  hold(): void {
    this.release = () => undefined;
  }
}

const good = (seat: number): Move => ({ type: "act", seat, action: "good" });
const bad: Move = { type: "act", seat: 0, action: "bad" };

async function opened(kept: ReturnType<Keeping["load"]> = null) {
  const inspector = new Inspector();
  const saved: unknown[] = [];
  const match = new LocalMatch(inspector, { load: () => kept, save: (now) => saved.push(now.step) }, "game");
  await match.open();
  return { inspector, match, saved };
}

function at(match: LocalMatch): [number, number] {
  return [match.shown.value?.step ?? -1, match.shown.value?.setup.moves.length ?? -1];
}

describe("a local match", () => {
  test("begins at its opening, and asks for the step before each step", async () => {
    const { inspector, match, saved } = await opened();
    await match.play(good(0));
    await match.play(good(1));
    expect(at(match)).toEqual([2, 2]);
    expect(inspector.asked).toEqual([
      [0, 0, 0],
      [1, 0, 1],
      [2, 1, 2],
    ]);
    expect(saved).toEqual([0, 1, 2]);
  });

  test("a refused move changes nothing and says why", async () => {
    const { match } = await opened();
    await match.play(good(0));
    expect(await match.play(bad)).toMatchObject({ move: 1, code: "act.bad", text: "it is bad" });
    expect(at(match)).toEqual([1, 1]);
    expect(match.undoable.value).toHaveLength(1);
  });

  test("a failing inspector changes nothing and says why", async () => {
    const { inspector, match } = await opened();
    inspector.why = "out of reach";
    expect(await match.play(good(0))).toMatchObject({ text: "Out of reach." });
    expect([at(match), match.trouble.value, match.isBusy.value]).toEqual([[0, 0], "", false]);
    await match.go(0);
    expect(match.trouble.value).toBe("Out of reach.");
    inspector.why = null;
    await match.play(good(0));
    expect([at(match), match.trouble.value]).toEqual([[1, 1], ""]);
  });

  test("a move at an earlier step takes the place of the later ones, until it is undone", async () => {
    const { match } = await opened();
    for (const seat of [0, 1, 0]) await match.play(good(seat));
    await match.go(1);
    await match.play({ type: "resign", seat: 1 });
    expect(match.shown.value?.setup.moves.map((move) => move.type)).toEqual(["act", "resign"]);
    await match.undo();
    expect(at(match)).toEqual([1, 3]);
    await match.undo();
    expect(at(match)).toEqual([2, 2]);
  });

  test("steps beyond either end are the ends", async () => {
    const { match } = await opened();
    await match.play(good(0));
    await match.go(-5);
    expect(at(match)).toEqual([0, 1]);
    await match.go(99);
    expect(at(match)).toEqual([1, 1]);
  });

  test("an edit goes between the moves, and editing it again replaces it", async () => {
    const { match } = await opened();
    for (const seat of [0, 1]) await match.play(good(seat));
    await match.go(1);
    expect(await match.edit("{}", true)).toBeNull();
    expect(match.shown.value?.setup.moves.map((move) => move.type)).toEqual(["act", "edit", "act"]);
    expect(at(match)).toEqual([2, 3]);
    await match.edit('{"a":1}', false);
    expect(match.shown.value?.setup.moves).toEqual([good(0), { type: "edit", text: '{"a":1}' }]);
    await match.undo();
    await match.cut();
    expect(at(match)).toEqual([2, 2]);
  });

  test("a later move that no longer fits is no reason to refuse an edit", async () => {
    const { match } = await opened();
    await match.begin({ ...newSetup("game"), moves: [good(0), bad] });
    expect(at(match)).toEqual([1, 2]);
    await match.go(0);
    expect(await match.edit("{}", true)).toBeNull();
    expect(match.shown.value?.answer.failure?.move).toBe(2);
  });

  test("random moves are legal ones of a seat to act, as many as wanted", async () => {
    const { match } = await opened();
    await match.playRandom(3);
    expect(match.shown.value?.setup.moves).toEqual([good(0), good(1), good(0)]);
  });

  test("only the last of several questions is shown", async () => {
    const { inspector, match } = await opened();
    await match.playRandom(4);
    inspector.hold();
    await Promise.all([match.go(0), match.go(3), match.go(1)]);
    expect(at(match)).toEqual([1, 4]);
  });

  test("a kept match is shown again, and a new one if the inspector refuses it", async () => {
    const kept = { setup: { ...newSetup("game"), moves: [good(0), good(1)] }, step: 1 };
    expect(at((await opened(kept)).match)).toEqual([1, 2]);
    const inspector = new Inspector();
    inspector.why = "no";
    const match = new LocalMatch(inspector, { load: () => kept, save: () => undefined }, "game");
    const opening = match.open();
    inspector.why = null;
    await opening;
    expect(at(match)).toEqual([0, 0]);
  });

  test("a file that is no replay leaves the match and says why", async () => {
    const { match } = await opened();
    expect(await match.importReplay(async () => new Uint8Array())).toBeNull();
    expect([at(match), match.trouble.value]).toEqual([[0, 0], "This is not a replay."]);
  });
});
