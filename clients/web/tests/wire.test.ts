/** The TypeScript codec agrees with Python: golden frames, and the tables of the document. */

import { createHash } from "node:crypto";

import { encode } from "@msgpack/msgpack";
import { describe, expect, test } from "vitest";

import type { ClientMessage, ServerMessage, Snapshot, View } from "../src/generated/messages";
import { checkProof } from "../src/replay/verification";
import { canonical, checksum } from "../src/wire/canonical";
import { decodeClient, decodeServer, encodeClient, encodeServer, WireError } from "../src/wire/codec";
import { invitation, parseInvitation, roomCode } from "../src/wire/codes";
import { applyPatch, PatchError } from "../src/wire/patches";
import { hex, sha256, unhex } from "../src/wire/sha256";
import { goldenFrames, goldenPatches, protocolBytes, protocolTable } from "./documents";

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

test.each([0, 1, 55, 56, 63, 64, 65, 1000])("SHA-256 of %i bytes is that of everybody else", (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 7 + length) % 256);
  expect(hex(sha256(bytes))).toBe(createHash("sha256").update(bytes).digest("hex"));
  expect(hex(sha256(bytes.slice(0, 3), bytes.slice(3)))).toBe(hex(sha256(bytes)));
});

describe("the seal of a match", () => {
  const blocks = protocolBytes("replay");
  const file = unhex(blocks.at(-1) ?? "");
  const nothing = hex(sha256(new Uint8Array()));
  const states = ["", "", ""]; // the document's room was deserted before the match began
  const shown = {
    commitment: "be45cb2605bf36bebde684841a28f0fd43c69850a3dce5fedba69928ee3a8991",
    seed: "000102030405060708090a0b0c0d0e0f",
    chain: blocks.at(-2) ?? "",
  };

  const noted = { commitment: shown.commitment, chain: shown.chain };

  test.each([[null], [noted], [{ ...noted, chain: null }]])(
    "holds for the match of the document, noted as %j",
    (notes) => {
      expect(checkProof({ file, states }, shown, notes)).toEqual({ isWhole: true, entries: 3 });
    },
  );

  test.each([
    ["the commitment differs", { file, states }, { ...shown, commitment: nothing }, null, "commitment"],
    ["another seed", { file, states }, { ...shown, seed: "ff".repeat(16) }, null, "seed"],
    ["another end", { file, states }, { ...shown, chain: nothing }, null, "differs from the one shown at the end"],
    ["too few states", { file, states: [""] }, shown, null, "numbers of states"],
    ["a state too many", { file, states: ["", nothing, ""] }, shown, null, "breaks at entry 2"],
    ["a file of format 1", { file: withByte(file, 8, 1), states }, shown, null, "not a replay file"],
    ["a file that ends too early", { file: file.slice(0, -1), states }, shown, null, "damaged"],
    ["no file of a match", { file: new Uint8Array(), states }, shown, null, "not a replay file"],
    [
      "what was noted at the start",
      { file, states },
      shown,
      { ...noted, commitment: nothing },
      "the commitment differs",
    ],
    ["what was noted at the end", { file, states }, shown, { ...noted, chain: nothing }, "the chain differs"],
    ["what the server says", { why: "entry 2: the chain is broken" }, shown, noted, "entry 2"],
  ])("is broken by %s", (_, proof, now, notes, why) => {
    expect(checkProof(proof, now, notes)).toMatchObject({ isWhole: false, why: expect.stringContaining(why) });
  });

  describe("with states", () => {
    const seed = unhex(shown.seed);
    const rows = [
      ["opened", seed],
      ["sat", 0],
      ["started", 0],
      ["acted", "x".repeat(60)],
      ["voided", 9],
    ];
    const entries = rows.map((row) => encode(row));
    const covered = ["", "", nothing, "", hex(sha256(seed))];
    const links = linked(entries, covered);
    const whole = { file: replayFile(links), states: covered };
    const seen = { ...shown, chain: hex(links.at(-1)?.[1] ?? seed) };

    test("holds for a match whose chain covers some of them", () => {
      expect(checkProof(whole, seen, null)).toEqual({ isWhole: true, entries: 5 });
    });

    test.each([
      ["a false state", covered.with(2, hex(sha256(seed))), 3],
      ["a missing state", covered.with(2, ""), 3],
      ["a state where none is covered", covered.with(3, nothing), 4],
    ])("is broken by %s", (_, states, entry) => {
      const why = `the chain breaks at entry ${entry}`;
      expect(checkProof({ ...whole, states }, seen, null)).toEqual({ isWhole: false, why });
    });

    test.each([
      ["a state's hash moved into its entry", 2, Buffer.concat([entries[2] ?? seed, unhex(nothing)]), ""],
      ["an entry's end moved into the state", 3, entries[3]?.slice(0, -32), hex(entries[3]?.slice(-32) ?? seed)],
    ])("is broken by %s", (_, index, entry = seed, state) => {
      const moved = links.with(index, [entry, links[index]?.[1] ?? seed]);
      const proof = { file: replayFile(moved), states: covered.with(index, state) };
      expect(hex(sha256(links[index - 1]?.[1] ?? seed, entry, unhex(state)))).toBe(hex(links[index]?.[1] ?? seed));
      expect(checkProof(proof, seen, null)).toEqual({ isWhole: false, why: "the replay file is damaged" });
    });
  });

  test("is broken by any changed byte of the file", () => {
    const whole = [...file.keys()].filter((at) => {
      const changed = withByte(file, at, (file[at] ?? 0) ^ 1);
      return checkProof({ file: changed, states }, shown, null).isWhole;
    });
    expect(whole).toEqual([]);
  });
});

function withByte(bytes: Uint8Array, at: number, byte: number): Uint8Array {
  const changed = bytes.slice();
  changed[at] = byte;
  return changed;
}

type Link = readonly [entry: Uint8Array, chain: Uint8Array];

/** Link entries as the document says, with the SHA-256 of Node. */
function linked(entries: readonly Uint8Array[], states: readonly string[]): Link[] {
  let chain: Uint8Array = new Uint8Array(32);
  return entries.map((entry, index) => {
    const state = Buffer.from(states[index] ?? "", "hex");
    chain = new Uint8Array(createHash("sha256").update(chain).update(entry).update(state).digest());
    return [entry, chain];
  });
}

/** Return the file of a match with the seed of the document. */
function replayFile(links: readonly Link[]): Uint8Array {
  const commitment = sha256(unhex("000102030405060708090a0b0c0d0e0f"));
  return new Uint8Array(Buffer.concat([Buffer.from("WARROOM\n\x02"), encode([commitment, links])]));
}
