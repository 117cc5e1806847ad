/** The seal of a match: SHA-256, and the chain that a replay is checked by. */

import { createHash } from "node:crypto";

import { encode } from "@msgpack/msgpack";
import { describe, expect, test } from "vitest";

import { protocolBytes } from "../../js/tests/documents.js";
import { hex, sha256, unhex } from "../src/replay/sha256";
import { checkProof } from "../src/replay/verification";

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
