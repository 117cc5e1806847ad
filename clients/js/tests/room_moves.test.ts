/** A room that moves between nodes: whatever breaks, nothing is lost, played twice or left waiting. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { HEALING_MS } from "../src/backoff.js";
import { DisconnectedError, RejectedError } from "../src/errors.js";
import type { JoinRequest, ServerMessage, Verdict } from "../src/generated/messages.js";
import type { Room } from "../src/room.js";
import { ANSWER_MS, ENTERING_MS, type Session } from "../src/session.js";
import { checksum } from "../src/wire/canonical.js";
import { ABOUT, Line, newSession, ROOM } from "./fake_server.js";

const PAUSED = { type: "paused", room: ROOM, at: 5, reason: "moving", left_ms: null } as const;
const MOVED = { type: "notice", room: ROOM, code: "room.moved", detail: "enter it again" } as const;
const MOVING = { name: "RejectedError", code: "room.moving" };

let lines: Line[];
let session: Session;
let now: number;

function dial(): Line {
  lines.push(new Line());
  return line();
}

function line(): Line {
  const last = lines.at(-1);
  if (!last) throw new Error("nobody connected");
  return last;
}

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

/** Advance time on a healthy connection: pings are answered, whatever happens to the room. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1000) {
    now += Math.min(left, 1000);
    await vi.advanceTimersByTimeAsync(Math.min(left, 1000));
    for (const message of line().sent) if (message.type === "ping") line().say({ type: "pong", ref: message.ref });
    await settle();
  }
}

async function say(...messages: ServerMessage[]): Promise<void> {
  for (const message of messages) line().say(message);
  await settle();
}

function refuse(type: "join" | "watch", code: string): Promise<void> {
  return say({ type: "error", ref: line().last(type).ref, code, detail: code });
}

async function enter(as: "join" | "watch" = "join"): Promise<Room> {
  const entering = session.enter(ROOM, null, as);
  line().admit();
  await settle();
  return entering;
}

/** Let the room be entered again. */
async function resume(...missed: ServerMessage[]): Promise<void> {
  line().admit("resumed");
  await say(...missed);
  line().pong();
  await settle();
}

function prompt(turn = 1): Promise<void> {
  return say({ type: "prompt", room: ROOM, seat: 0, turn, at: 0, deadline: 1000 });
}

function verdict(id: number): Verdict & { readonly type: "verdict" } {
  return { type: "verdict", room: ROOM, id, code: null, detail: null, p: 1, q: 0, receipt: null };
}

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  now = 0;
  session = newSession(dial, undefined, () => now);
  session.start();
  line().welcome();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a room that moved", () => {
  test("is entered again, one attempt at a time, and once more for a move meanwhile", async () => {
    await enter();
    await say(MOVED);
    expect(line().last("join").position).toEqual({ life: 1, p: 1, q: 0 });
    line().admit("resumed");
    await say(MOVED, MOVED);
    expect(line().count("join")).toBe(2);
    line().pong();
    await settle();
    expect(line().count("join")).toBe(3);
    await resume();
    expect(line().count("join")).toBe(3);
  });

  test("a move abandons the attempt whose answer may never come", async () => {
    await enter();
    await say(MOVED);
    await say(MOVED);
    expect(line().count("join")).toBe(3);
    await resume();
    await pass(2 * ANSWER_MS);
    expect(line().count("join")).toBe(3);
  });

  test("refuses pending requests at once, and new ones while it is entered again", async () => {
    const room = await enter();
    const asked = [
      room.ask({ type: "start" }),
      room.ask({ type: "fill" }),
      room.ask({ type: "kick", seat: 1 }),
      room.ask({ type: "say", text: "hello" }),
      room.ask({ type: "resign" }),
      session.ask({ type: "legal", ref: 99, room: ROOM }, true),
    ];
    const other = session.ask({ type: "rooms", ref: 5 });
    const told = Promise.all(asked.map((each) => expect(each).rejects.toMatchObject(MOVING)));
    await say(MOVED);
    await told;
    await expect(room.ask({ type: "start" })).rejects.toMatchObject(MOVING);
    await say({ type: "rooms", ref: 5, rooms: [] } as unknown as ServerMessage);
    await other;
  });

  test("gets unanswered actions again under their ids, except those with a verdict in the answer", async () => {
    const room = await enter();
    await prompt();
    const plays = [1, 2, 3].map((card) => room.act({ type: "bid", card }, 1));
    const ids = room.waiting.map(({ id }) => id);
    await say(PAUSED, MOVED);
    plays.push(room.act({ type: "bid", card: 4 }, 1));
    expect(line().count("act")).toBe(3);
    await resume(verdict(ids[0] as number));
    const again = line().sent.slice(-3);
    expect(again.map((message) => message.type === "act" && message.id)).toEqual(room.waiting.map(({ id }) => id));
    expect(line().count("act")).toBe(6);
    for (const { id } of room.waiting) await say(verdict(id), verdict(id));
    expect((await Promise.all(plays)).length).toBe(4);
    expect(room.waiting).toEqual([]);
  });

  test("requests the legal actions after it is entered again", async () => {
    const room = await enter();
    await prompt();
    await say(MOVED);
    const legal = room.legal();
    await pass(HEALING_MS);
    expect(line().count("legal")).toBe(0);
    await resume();
    expect(line().count("legal")).toBe(1);
    const { ref } = line().last("legal");
    await say({ type: "legal", ref, room: ROOM, turn: 1, complete: true, actions: [{ type: "peek" }], notes: null });
    expect((await legal).actions).toEqual([{ type: "peek" }]);
  });

  test.each(["room.moving", "room.busy", "store.unavailable"])(
    "is asked for again after %s, less and less often",
    async (code) => {
      await enter();
      await say(MOVED);
      const waits: number[] = [];
      for (let attempt = 0; attempt < 8; attempt++) {
        const before = line().count("join");
        await refuse("join", code);
        let waited = 0;
        for (; line().count("join") === before; waited++) await pass(1);
        waits.push(waited);
      }
      expect(waits[0]).toBeLessThanOrEqual(100);
      for (const wait of waits.slice(4)) {
        expect(wait).toBeGreaterThanOrEqual(HEALING_MS / 2);
        expect(wait).toBeLessThanOrEqual(HEALING_MS);
      }
    },
  );

  test("is followed at once although the last attempt was refused", async () => {
    await enter();
    await say(MOVED);
    await refuse("join", "room.moving");
    expect(line().count("join")).toBe(2);
    await say(MOVED);
    expect(line().count("join")).toBe(3);
  });

  test("an answer that never comes is not awaited", async () => {
    const room = await enter();
    await say(MOVED);
    await pass(ANSWER_MS + 100);
    expect(line().count("join")).toBe(3);
    await pass(ANSWER_MS + HEALING_MS);
    expect(line().count("join")).toBe(4);
    await resume();
    room.ask({ type: "start" }).catch(() => undefined);
    expect(line().count("start")).toBe(1);
  });

  test("a permanent refusal ends it and everything that waits for it", async () => {
    const room = await enter();
    await prompt();
    const waiting = [room.act({ type: "peek" }), session.ask({ type: "legal", ref: 98, room: ROOM }, true)];
    const told = Promise.all(waiting.map((each) => expect(each).rejects.toBeInstanceOf(Error)));
    await say(MOVED);
    const late = expect(session.ask({ type: "legal", ref: 99, room: ROOM }, true)).rejects.toBeInstanceOf(
      DisconnectedError,
    );
    await refuse("join", "room.unknown");
    await Promise.all([told, late]);
    expect(room.closed).toMatchObject({ code: "room.unknown" });
    await expect(room.act({ type: "peek" }, 1)).rejects.toMatchObject({ code: "room.unknown" });
  });

  test("is shown as paused until it is entered again", async () => {
    const room = await enter();
    await prompt();
    await say(PAUSED);
    expect(room.state).toMatchObject({ paused: "moving", clock: { isRunning: false } });
    await say(MOVED);
    expect(room.state.paused).toBe("moving");
    await resume();
    expect(room.state).toMatchObject({ paused: null, clock: { isRunning: true, at: 5 }, prompt: { turn: 1 } });
  });

  test("is not requested again after it is left meanwhile", async () => {
    await enter();
    await say(MOVED);
    void session.leave(ROOM);
    await settle();
    expect(line().count("leave")).toBe(1);
    await say({ type: "done", ref: line().last("leave").ref });
    await refuse("join", "room.moving");
    await pass(ANSWER_MS);
    expect(line().count("join")).toBe(2);
  });

  describe.each(Array.from({ length: 10 }, (_, hops) => hops))("%i microtasks after it was entered again", (hops) => {
    let room: Room;

    beforeEach(async () => {
      room = await enter();
      await prompt();
      void room.act({ type: "peek" });
      await say(MOVED);
      line().admit("resumed");
      await settle();
    });

    test("may move once more, and gets the action there", async () => {
      line().pong();
      for (let hop = 0; hop < hops; hop++) await Promise.resolve();
      line().say(MOVED);
      await settle();
      expect(line().count("join")).toBe(3);
      const before = line().count("act");
      await resume();
      expect(line().count("act")).toBe(before + 1);
    });

    test.each<[string, () => void]>([
      ["breaks", () => line().break()],
      ["is begun anew", () => session.restart()],
    ])("gets the action on the next connection if this one %s", async (_, end) => {
      line().pong();
      for (let hop = 0; hop < hops; hop++) await Promise.resolve();
      end();
      await pass(100);
      expect(line().sent).toEqual([]);
      line().welcome();
      await resume();
      expect(line().count("act")).toBe(1);
    });
  });

  test("gets no more actions after it is left meanwhile", async () => {
    const room = await enter();
    await prompt();
    const acted = expect(room.act({ type: "peek" })).rejects.toMatchObject({ code: "client.closed" });
    await say(MOVED);
    void session.leave(ROOM);
    await resume();
    await acted;
    expect(line().count("act")).toBe(1);
  });

  test("is entered on the next line, if this one breaks between two attempts", async () => {
    await enter();
    await say(MOVED);
    await refuse("join", "room.moving");
    line().break();
    await pass(100);
    line().welcome();
    await settle();
    expect(line().count("join")).toBe(1);
    await pass(HEALING_MS);
    expect(line().count("join")).toBe(1);
  });

  test("a pending join completes instead of falling back to watching", async () => {
    await enter("watch");
    const sitting = session.enter(ROOM, null, "join");
    await say(MOVED);
    expect(line().count("watch")).toBe(2);
    await pass(100);
    expect(line().count("join")).toBe(2);
    line().admit();
    const room = await sitting;
    await refuse("watch", "room.moving");
    await pass(HEALING_MS);
    expect(room.state.seat).toBe(0);
    expect(line().count("watch")).toBe(2);
    room.ask({ type: "start" }).catch(() => undefined);
    expect(line().count("start")).toBe(1);
  });
});

describe("a first entry", () => {
  test.each([
    ["is refused because the room moves", () => refuse("join", "room.moving")],
    ["is not answered", () => pass(ANSWER_MS)],
    ["is overtaken by a move", () => say(MOVED)],
  ])("that %s is asked for again", async (_, happen) => {
    const entering = session.enter(ROOM, null, "join");
    await happen();
    await pass(100);
    expect(line().count("join")).toBe(2);
    expect(line().count("watch")).toBe(0);
    line().admit();
    expect((await entering).state.public).toEqual({ n: 0 });
  });

  test("waits for a broken connection, however long that takes", async () => {
    const entering = session.enter(ROOM, null, "join");
    line().break();
    await pass(3 * ANSWER_MS);
    line().welcome();
    await settle();
    expect(line().count("join")).toBe(1);
    now = 0; // the duration of the break does not count
    await pass(ANSWER_MS + 100);
    expect(line().count("join")).toBe(2);
    line().admit();
    expect((await entering).state.public).toEqual({ n: 0 });
  });

  test("is followed by another if the room moves in the same moment", async () => {
    const entering = session.enter(ROOM, null, "join");
    line().admit();
    line().say(MOVED);
    const room = await entering;
    await settle();
    expect(line().count("join")).toBe(2);
    await prompt();
    void room.act({ type: "peek" });
    expect(line().count("act")).toBe(0);
    await resume();
    expect(line().count("act")).toBe(1);
  });

  test("fails with a message if it is never answered", async () => {
    const entering = session.enter(ROOM, null, "watch");
    const failed = expect(entering).rejects.toThrow("the room gives no answer");
    await pass(ENTERING_MS + ANSWER_MS);
    await failed;
    expect(session.rooms.size).toBe(0);
  });

  test("is not repeated after a permanent refusal", async () => {
    const entering = expect(session.enter(ROOM, null, "join")).rejects.toEqual(
      new RejectedError("room.full", "room.full"),
    );
    await refuse("join", "room.full");
    await entering;
    await pass(ANSWER_MS);
    expect(line().count("join")).toBe(1);
  });
});

describe("random sequences", () => {
  /** A server with one room, which answers messages on demand. */
  class Server {
    readonly accepted = new Map<number, Verdict & { readonly type: "verdict" }>();
    private read = 0;
    private entry: Line | null = null;
    private heard = new Set<number>();
    private on = line();
    n = 0;

    /** Answer the next message, unless it *isLost* with the owner of the room. */
    serve(isLost = false, isStored = false): void {
      this.change();
      const message = this.on.sent[this.read];
      if (!message) return;
      this.read += 1;
      if (message.type === "act") {
        if (this.entry !== this.on) {
          this.on.say(MOVED);
          return;
        }
        expect(this.heard.has(message.id)).toBe(false);
        this.heard.add(message.id);
        const known = this.accepted.get(message.id) ?? verdict(message.id);
        if (!isLost || isStored) this.accepted.set(message.id, known);
        if (!isLost) this.on.say(known);
      } else if (message.type === "ping") this.on.say({ type: "pong", ref: message.ref });
      else if (isLost) return;
      else if (message.type === "join") this.admit(message);
      else if (message.type === "legal") {
        const { ref } = message;
        if (this.entry === this.on)
          this.on.say({ type: "legal", ref, room: ROOM, turn: 1, complete: true, actions: [], notes: null });
        else this.on.say({ type: "error", ref, code: "room.moving", detail: "" });
      }
    }

    refuse(): void {
      this.change();
      const message = this.on.sent[this.read];
      if (message?.type !== "join") return;
      this.read += 1;
      this.on.say({ type: "error", ref: message.ref, code: "room.moving", detail: "" });
    }

    move(): void {
      this.change();
      this.entry = null;
      this.on.say(PAUSED);
      this.on.say(MOVED);
    }

    step(): void {
      this.change();
      this.n += 1;
      const update = { type: "update", room: ROOM, p: this.n + 1, patch: [[["n"], this.n]], events: [] } as const;
      const clock = { at: 0, turn: 1, deadline: 1000, banks: [] };
      if (this.entry === this.on) this.on.say({ ...update, clock, sum: checksum({ n: this.n }) } as ServerMessage);
    }

    private admit(join: JoinRequest): void {
      this.entry = this.on;
      this.heard = new Set();
      const place = { ref: join.ref, room: ROOM, code: "0000007", life: 1, seat: 0, seat_token: "seat", about: ABOUT };
      // Missed steps come as a snapshot; other tests cover the patches.
      this.on.say({ type: "joined", ...place });
      const sums = { public_sum: checksum({ n: this.n }), private_sum: checksum(null) };
      const clock = { at: 0, turn: 1, deadline: 1000, banks: [] };
      const view = { p: this.n + 1, q: 0, public: { n: this.n }, private: null, clock, ...sums };
      this.on.say({ type: "snapshot", room: ROOM, life: 1, ...view });
      const last = [...this.accepted.values()].at(-1);
      if (join.position && last) {
        this.heard.add(last.id);
        this.on.say(last);
      }
    }

    /** Switch to the current connection. */
    private change(): void {
      if (this.on === line()) return;
      this.on = line();
      this.read = 1; // after the hello
      this.entry = null;
    }
  }

  /** Pseudo-random numbers, the same each time. */
  function numbers(seed: number): (below: number) => number {
    let state = seed * 2654435761 + 1;
    return (below) => {
      state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
      return (state >>> 8) % below;
    };
  }

  async function hold(steps: number, draw: (below: number) => number): Promise<void> {
    const server = new Server();
    const entering = persist();
    const plays: Promise<Verdict>[] = [];
    const asked: Promise<unknown>[] = [];
    let room: Room | null = null;
    void entering.then((entered) => {
      room = entered;
    });
    const happen: (() => void | Promise<void>)[] = [
      () => server.serve(),
      () => server.serve(),
      () => server.serve(),
      () => server.serve(true),
      () => server.serve(true, true),
      () => server.refuse(),
      () => server.move(),
      () => server.step(),
      () => void (room && plays.push(room.act({ type: "count" }, 1))),
      () => void (room && plays.push(room.act({ type: "count" }, 1))),
      () =>
        void (
          room &&
          asked.push(session.ask({ type: "legal", ref: 10_000 + asked.length, room: ROOM }, true).catch((why) => why))
        ),
      async () => {
        line().break();
        await pass(200);
        if (!line().sent.length) line().welcome();
      },
      () => pass(draw(2 * ANSWER_MS)),
    ];
    for (let step = 0; step < steps; step++) {
      await happen[draw(happen.length)]?.();
      if (draw(2)) await settle();
      if (line().isClosed || !line().sent.length) await connected();
    }
    server.move(); // recovers everything that was lost
    for (let round = 0; round < 60; round++) {
      await connected();
      for (let turn = 0; turn < 40; turn++) {
        server.serve();
        await settle();
      }
      await pass(HEALING_MS);
    }
    server.step();
    await settle();
    const entered = await entering;
    const ids = (await Promise.all(plays)).map(({ id }) => id);
    expect([...server.accepted.keys()].sort()).toEqual(ids.sort());
    expect(entered.waiting).toEqual([]);
    expect(entered.state).toMatchObject({ public: { n: server.n }, paused: null });
    for (const answer of await Promise.all(asked)) if (answer instanceof Error) expect(answer).toMatchObject(MOVING);
  }

  /** Enter the room, however long it is moving. */
  async function persist(): Promise<Room> {
    for (;;) {
      try {
        return await session.enter(ROOM, null, "join");
      } catch (error) {
        expect(error).toMatchObject(MOVING);
      }
    }
  }

  async function connected(): Promise<void> {
    for (let attempt = 0; session.connection.kind !== "open" && attempt < 20; attempt++) {
      await pass(1000);
      if (!line().sent.length) line().welcome();
    }
    await settle();
  }

  test.each(Array.from({ length: 150 }, (_, seed) => seed))(
    "each action has one verdict and nothing hangs (%i)",
    async (seed) => {
      const draw = numbers(seed);
      await hold(5 + draw(50), draw);
    },
  );
});
