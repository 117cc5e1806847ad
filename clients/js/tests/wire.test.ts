/** The TypeScript codec agrees with Python: golden frames, and the tables of the document. */

import { describe, expect, test } from "vitest";

import { InputError, WireError } from "../src/errors.js";
import type { ClientMessage, ServerMessage, Snapshot, View } from "../src/generated/messages.js";
import { canonical, checksum } from "../src/wire/canonical.js";
import { decodeClient, decodeServer, encodeClient, encodeServer } from "../src/wire/codec.js";
import { invitation, parseInvitation, roomCode } from "../src/wire/codes.js";
import { applyPatch, PatchError } from "../src/wire/patches.js";
import { goldenFrames, goldenPatches, protocolTable } from "./documents.js";

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function unhex(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "hex"));
}

describe("golden frames", () => {
  const WORKERS = ["summon", "work", "claim"]; // a page runs no bots
  const frames = goldenFrames().filter((frame) => !WORKERS.includes(String(frame.json.type)));

  test("there are some of both directions", () => {
    expect(new Set(frames.map((frame) => frame.direction))).toEqual(new Set(["client", "server"]));
  });

  test.each(frames.map((frame) => [frame.name, frame] as const))("%s", (_, frame) => {
    const bytes = unhex(frame.hex);
    const twin = { ...frame.json, ...(typeof frame.json.data === "string" && { data: unhex(frame.json.data) }) };
    if (frame.direction === "client") {
      expect(decodeClient(bytes)).toEqual(twin);
      expect(hex(encodeClient(twin as unknown as ClientMessage))).toBe(frame.hex);
    } else {
      expect(decodeServer(bytes)).toEqual(twin);
      expect(hex(encodeServer(twin as unknown as ServerMessage))).toBe(frame.hex);
    }
  });
});

describe("invalid messages", () => {
  test.each([
    ["c1", "no MessagePack"],
    ["80", "a map"],
    ["91a4726f6f6d".slice(0, 8), "cut off"],
    ["92a4646f6e65".slice(0, 12), "too few fields"],
  ])("%s (%s)", (bytes) => {
    expect(() => decodeServer(unhex(bytes))).toThrow(WireError);
  });

  test("one of a newer server is passed over", () => {
    expect(decodeServer(unhex("92a56f6d656e7301"))).toBeNull();
  });
});

describe("what a server would close the connection for is not encoded", () => {
  const cyclic: View[] = [];
  cyclic.push(cyclic);
  test.each<[string, unknown]>([
    ["half of a number", 0.5],
    ["a number beyond 53 bits", 2 ** 53],
    ["no number", Number.NaN],
    ["a text of 4 kB", "x".repeat(4096)],
    ["a thousand values", new Array(1024).fill(null)],
    ["six lists in each other", [[[[[[]]]]]]],
    ["a list in itself", cyclic],
    ["nothing", { card: undefined }],
    ["a function", { card: () => 1 }],
    ["a big integer", { card: 1n }],
  ])("%s", (_, action) => {
    const act = { type: "act", room: 1, id: 2, turn: 3, action } as ClientMessage;
    expect(() => encodeClient(act)).toThrow(InputError);
  });

  test.each<[string, View]>([
    ["the largest integer", 2 ** 53 - 1],
    ["five lists in each other", [[[[[]]]]]],
    ["a text that just fits", "x".repeat(4000)],
    ["many values", new Array(900).fill(1)],
  ])("but %s is", (_, action) => {
    const act = { type: "act", room: 1, id: 2, turn: 3, action } as const;
    expect(decodeClient(encodeClient(act))).toEqual(act);
  });
});

test("checksums are those of the document", () => {
  const rows = protocolTable("sums");
  expect(rows.length).toBeGreaterThan(2);
  for (const [view = "", bytes = "", sum = ""] of rows) {
    const value = JSON.parse(view) as View;
    expect(hex(canonical(value))).toBe(bytes.replaceAll(" ", ""));
    expect(checksum(value)).toBe(Number(sum));
  }
});

describe("the checksums of golden snapshots are those of their views", () => {
  const snapshots = goldenFrames().filter((frame) => frame.json.type === "snapshot");
  test.each(snapshots.map((frame) => [frame.name, decodeServer(unhex(frame.hex)) as Snapshot] as const))(
    "%s",
    (_, message) => {
      expect([checksum(message.public), checksum(message.private)]).toEqual([message.public_sum, message.private_sum]);
    },
  );
});

test.each([
  [15, "9f"],
  [16, "dc0010"],
  [65_535, "dcffff"],
  [65_536, "dd00010000"],
])("a list of %i items begins as in MessagePack", (size, bytes) => {
  expect(hex(canonical(new Array<View>(size).fill(null)).slice(0, bytes.length / 2))).toBe(bytes);
});

test("keys are ordered by UTF-8, not by UTF-16", () => {
  expect(hex(canonical({ "\u{1F3B2}": 1, "\uFF5E": 2 }))).toBe(hex(canonical({ "\uFF5E": 2, "\u{1F3B2}": 1 })));
  expect(hex(canonical({ "\u{1F3B2}": 1, "\uFF5E": 2 }))).toBe("82a3efbd9e02a4f09f8eb201");
});

describe("patches", () => {
  test.each(protocolTable("patches").map((row) => [...row]))("%s with %s", (before = "", patch = "", after = "") => {
    const view = JSON.parse(before) as View;
    const frozen = JSON.stringify(view);
    expect(applyPatch(view, JSON.parse(patch))).toEqual(JSON.parse(after));
    expect(JSON.stringify(view)).toBe(frozen);
  });

  test("lead to the same views as in Python", () => {
    const cases = goldenPatches();
    expect(cases.length).toBeGreaterThan(100);
    for (const { before, patch, after } of cases) expect(applyPatch(before, patch)).toEqual(after);
  });

  test("find a position in the order of the canonical bytes", () => {
    const view = { "\u{1F3B2}": 1, "\uFF5E": 2, "9": 3, "10": 4, é: 5 };
    const keys = ["10", "9", "é", "\uFF5E", "\u{1F3B2}"];
    for (const [position, key] of keys.entries()) {
      expect(applyPatch(view, [[[position], [0]]])).toEqual({ ...view, [key]: [0] });
      expect(Object.keys(applyPatch(view, [[[position]]]) as object)).not.toContain(key);
    }
  });

  test("share unchanged parts", () => {
    const view = { still: [1, 2], moved: { a: 1 } };
    const next = applyPatch(view, [[["moved", "a"], 2]]) as typeof view;
    expect(next.still).toBe(view.still);
  });

  test.each([
    ["a path that leads nowhere", [[["x", 1], 2]]],
    ["an index outside its list", [[["row", 5], 2]]],
    ["the root removed", [[[]]]],
    ["a key removed that is not there", [[["x"]]]],
    ["a list that keeps more than it has", [[["row"], 9, []]]],
    ["a position past the last key", [[[1], 2]]],
    ["a negative position", [[[-1], 2]]],
    ["a boolean for a position", [[[false], 2]]],
    ["a fraction of a position", [[[0.5], 2]]],
    ["a key removed past the last", [[[1]]]],
    ["a path through a position past the last key", [[[1, 0], 2]]],
    ["a key of the prototype", [[["toString", "x"], 1]]],
    ["no list", {}],
    ["no operation", [1]],
    ["too long a path", [[Array.from({ length: 33 }, () => "a"), 1]]],
  ])("refuse %s", (_, patch) => {
    expect(() => applyPatch({ row: [1, 2, 3] }, patch)).toThrow(PatchError);
  });
});

describe("codes of rooms", () => {
  test.each([
    [2718281828, "2h0bc34"],
    [0, "0000000"],
    [2 ** 32 - 1, "3zzzzzz"],
  ])("%i is %s", (room, code) => {
    expect(roomCode(room)).toBe(code);
    expect(parseInvitation(code)).toEqual({ room, key: null });
  });

  test.each([
    ["2H0BC34", { room: 2718281828, key: null }],
    [" 2hobc34 ", { room: 2718281828, key: null }],
    ["2h0bc34-K3v5rm2a", { room: 2718281828, key: "k3v5rm2a" }],
    ["http://127.0.0.1:8000/#/r/2h0bc34-k3v5rm2a", { room: 2718281828, key: "k3v5rm2a" }],
    ["zzzzzzz", null],
    ["2h0bc3", null],
    ["2h0bc3u", null],
    ["", null],
  ])("%s is read", (text, found) => {
    expect(parseInvitation(text)).toEqual(found);
  });

  test("an invitation leads back to its room", () => {
    expect(parseInvitation(invitation(77, "secret"))).toEqual({ room: 77, key: "secret" });
  });
});
