/** The chat input: typing, sending and errors. */

import { afterEach, describe, expect, test, vi } from "vitest";
import { RejectedError, type View } from "warroom-client";
import type { BoardModule } from "../src/boards/board";
import { memoryStore } from "../src/client/identity";
import { ChatInput } from "../src/room/chat_input";
import { told } from "../src/room/log";
import { makeTable } from "../src/room/table";

describe("a line", () => {
  test("keeps text typed while a message is being sent", async () => {
    const said: string[] = [];
    const talk = new ChatInput(async (text) => said.push(text));
    talk.typed.value = " hello ";
    const saying = talk.say();
    talk.typed.value = "how";
    await saying;
    expect([said, talk.typed.value, talk.trouble.value]).toEqual([["hello"], "how", ""]);
  });

  test("puts a refused message back before newer text, with the reason as a sentence", async () => {
    const talk = new ChatInput(() =>
      Promise.reject(new RejectedError("chat.muted", "the host has silenced this player")),
    );
    talk.typed.value = "hello";
    const saying = talk.say();
    talk.typed.value = "there";
    await saying;
    expect(talk.typed.value).toBe("hello there");
    expect(talk.trouble.value).toBe("The host has silenced this player.");
    talk.type("hello");
    expect([talk.typed.value, talk.trouble.value]).toEqual(["hello", ""]);
  });

  test("of blanks is none", async () => {
    const talk = new ChatInput(() => Promise.reject(new Error("nothing may be sent")));
    talk.typed.value = "  ";
    await talk.say();
    expect(talk.trouble.value).toBe("");
  });
});

describe("muted players", () => {
  afterEach(() => vi.unstubAllGlobals());

  test("stays so in this tab until they are heard again", async () => {
    vi.stubGlobal("sessionStorage", memoryStore());
    const load = async () => {
      vi.resetModules();
      return import("../src/room/muted");
    };
    const before = await load();
    for (const player of ["ada", "bob", "ada"]) before.mute(player, true);
    before.mute("bob", false);
    expect(before.muted.value).toEqual(["ada"]);
    const after = await load();
    expect(after.muted.value).toEqual(["ada"]);
    after.mute("ada", false);
    expect((await load()).muted.value).toEqual([]);
  });
});

describe("the log", () => {
  const table = makeTable("g", {}, [], null, false);
  const board = { tell: (event: View) => (event === "loud" ? "Bang." : null) } as unknown as BoardModule;

  test("omits events without text", () => {
    const quiet = { id: 1, kind: "step", serial: 1, events: ["quiet"], turn: 1 } as const;
    const loud = { id: 2, kind: "step", serial: 1, events: ["quiet", "loud"], turn: 1 } as const;
    const remark = { id: 3, kind: "remark", text: "So it goes." } as const;
    expect(told([quiet], board, table)).toEqual([]);
    expect(told([quiet, loud, remark], board, table).map(({ texts }) => texts)).toEqual([["Bang."], ["So it goes."]]);
  });

  test("continues after a board fails to describe an event", () => {
    const complaint = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const failing = { tell: (event: View) => (event as { text: string }).text.trim() } as unknown as BoardModule;
    const steps = [null, { text: "Bang." }].map(
      (event, id) => ({ id, kind: "step", serial: 1, events: [event], turn: 1 }) as const,
    );
    const texts = told(steps, failing, table).map((each) => each.texts);
    expect(texts).toEqual([["(an event that could not be shown)"], ["Bang."]]);
    expect(complaint).toHaveBeenCalledOnce();
  });
});
