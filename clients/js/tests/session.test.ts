/** The lifetime of a connection, against a server that the test plays itself. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { HEALING_MS } from "../src/backoff.js";
import { DisconnectedError, RejectedError } from "../src/errors.js";
import { type IdentityStore, MemoryIdentity } from "../src/identity.js";
import type { Room } from "../src/room.js";
import type { Session } from "../src/session.js";
import { checksum } from "../src/wire/canonical.js";
import { ABOUT, Line, newSession, ROOM } from "./fake_server.js";

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

function connect(identity: IdentityStore = new MemoryIdentity()): Session {
  session = newSession(dial, identity, () => now);
  session.start();
  return session;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

async function enter(): Promise<Room> {
  const entering = session.enter(ROOM, null, "join");
  line().admit();
  return entering;
}

function ask(room: Room, turn = 1): void {
  expect(room.number).toBe(ROOM);
  line().say({ type: "prompt", room: ROOM, seat: 0, turn, at: 0, deadline: 1000 });
}

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  now = 0;
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A player that several programs share: the first welcome counts. */
class SharedIdentity extends MemoryIdentity {
  override welcome(sent: string | null, token: string): boolean {
    return (sent !== null || this.token === null) && super.welcome(sent, token);
  }
}

describe("saying hello", () => {
  test("the token is kept and shown next time", () => {
    const identity = new MemoryIdentity();
    connect(identity);
    line().welcome("mine");
    expect(session.connection.kind).toBe("open");
    connect(identity);
    line().open();
    expect(line().last("hello").token).toBe("mine");
  });

  test("a token that the server does not know is given up for a new one", () => {
    connect(new MemoryIdentity("Ada", "stale"));
    line().open();
    line().say({ type: "error", ref: line().last("hello").ref, code: "hello.token", detail: "no" });
    line().open();
    expect(line().last("hello").token).toBeNull();
    expect(lines.length).toBe(2);
  });

  test("of two new tabs at once, the second becomes the player of the first", () => {
    const identity = new SharedIdentity();
    connect(identity);
    line().open();
    identity.token = "of the other tab";
    line().say({ type: "welcome", ref: 1, version: 1, player: "eve", token: "own", name: "", server: "" });
    line().open();
    expect(line().last("hello").token).toBe("of the other tab");
    expect(identity.token).toBe("of the other tab");
  });

  test("a permanent refusal is reported, and no reconnect follows", () => {
    connect();
    line().open();
    line().break(4005, "another place");
    vi.advanceTimersByTime(60_000);
    const error = new DisconnectedError("another place", "client.closed", 4005);
    expect(session.connection).toEqual({ kind: "over", error });
    expect(lines.length).toBe(1);
  });

  test("after a permanent refusal all requests fail, also new ones", async () => {
    connect();
    line().welcome();
    const room = await enter();
    ask(room);
    const before = [session.ask({ type: "quick", ref: 9, game: "g" }, true), room.act({ type: "peek" })];
    line().break(4005, "another place");
    const after = [session.ask({ type: "quick", ref: 10, game: "g" }, true), room.act({ type: "peek" })];
    for (const each of [...before, ...after]) await expect(each).rejects.toBeInstanceOf(DisconnectedError);
    session.restart();
    line().welcome();
    expect(line().count("quick")).toBe(0);
    expect(line().last("join").room).toBe(ROOM);
  });
});

describe("when the line breaks", () => {
  test("it is dialled again, later each time, and at once when the network is back", () => {
    connect();
    line().welcome();
    line().break();
    expect(session.connection.kind).toBe("waiting");
    vi.advanceTimersByTime(100);
    expect(lines.length).toBe(2);
    line().break();
    vi.advanceTimersByTime(99);
    expect(lines.length).toBe(2);
    session.hurry();
    expect(lines.length).toBe(3);
  });

  test("failed connection attempts wait longer and longer until one succeeds", () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    const dialledAfter = (): number => {
      const began = now;
      const { length } = lines;
      line().break();
      while (lines.length === length) {
        now += 50;
        vi.advanceTimersByTime(50);
      }
      return now - began;
    };
    connect();
    line().welcome();
    const outage = Array.from({ length: 10 }, dialledAfter);
    expect(outage).toEqual([100, 200, 400, 800, 1600, 3200, 4000, 4000, 4000, 4000]);
    line().welcome();
    expect(dialledAfter()).toBe(4000);
    line().welcome();
    now += 11_000;
    expect(dialledAfter()).toBe(100);
  });

  test("a room is resumed where it was, and an unanswered action goes out again under its id", async () => {
    connect();
    line().welcome();
    const room = await enter();
    ask(room);
    const verdict = room.act({ type: "bid", card: 4 });
    const { id } = line().last("act");
    line().break();
    vi.advanceTimersByTime(100);
    line().welcome();
    expect(line().last("join").position).toEqual({ life: 1, p: 1, q: 0 });
    expect(line().last("join").seat_token).toBe("seat");
    line().admit("resumed");
    await settle();
    expect(line().count("act")).toBe(0);
    line().pong();
    await settle();
    expect(line().last("act")).toMatchObject({ id, turn: 1, action: { type: "bid", card: 4 } });
    line().say({ type: "verdict", room: ROOM, id, code: null, detail: null, p: 1, q: 0, receipt: null });
    expect((await verdict).id).toBe(id);
  });

  test("an action whose verdict comes with the resume is not sent again", async () => {
    connect();
    line().welcome();
    const room = await enter();
    ask(room);
    const verdict = room.act({ type: "bid", card: 4 });
    const { id } = line().last("act");
    line().break();
    vi.advanceTimersByTime(100);
    line().welcome();
    line().admit("resumed");
    line().say({ type: "verdict", room: ROOM, id, code: null, detail: null, p: 1, q: 0, receipt: null });
    await settle();
    line().pong();
    await settle();
    expect(line().count("act")).toBe(0);
    expect((await verdict).code).toBeNull();
  });

  test("an action played during a break is sent once the room is entered again", async () => {
    connect();
    line().welcome();
    const room = await enter();
    ask(room);
    line().break();
    void room.act({ type: "bid", card: 2 });
    vi.advanceTimersByTime(100);
    line().welcome();
    line().admit("resumed");
    await settle();
    line().pong();
    await settle();
    expect(line().last("act").action).toEqual({ type: "bid", card: 2 });
  });

  test("a stopping server is retried until it is back", async () => {
    connect();
    line().welcome();
    await enter();
    line().break();
    vi.advanceTimersByTime(100);
    line().welcome();
    line().say({ type: "error", ref: line().last("join").ref, code: "server.draining", detail: "" });
    await settle();
    expect(line().count("join")).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(line().count("join")).toBe(2);
  });

  test("a closed room reports it", async () => {
    connect();
    line().welcome();
    const room = await enter();
    line().break();
    vi.advanceTimersByTime(100);
    line().welcome();
    line().say({ type: "error", ref: line().last("join").ref, code: "room.unknown", detail: "there is no such room" });
    await settle();
    expect(room.closed).toEqual(new RejectedError("room.unknown", "there is no such room"));
    expect(session.rooms.size).toBe(0);
  });

  test("a line that has gone silent is given up", async () => {
    connect();
    line().welcome();
    vi.advanceTimersByTime(7_900);
    expect(session.connection.kind).toBe("open");
    vi.advanceTimersByTime(200);
    expect(lines[0]?.isClosed).toBe(true);
    expect(session.connection.kind).toBe("waiting");
  });

  test("two hurried pings leave the next dial its time limit", async () => {
    connect();
    line().welcome();
    line().pong();
    await settle();
    vi.advanceTimersByTime(1_000);
    session.hurry();
    const { ref } = line().last("ping");
    session.hurry();
    line().say({ type: "pong", ref });
    line().pong();
    await settle();
    vi.advanceTimersByTime(9_500);
    line().break();
    vi.advanceTimersByTime(100);
    expect(lines.length).toBe(2);
    await vi.advanceTimersByTimeAsync(15_200); // the second line never opens
    expect(lines[1]?.isClosed).toBe(true);
    expect(lines.length).toBe(3);
  });

  /** Watch, and start to join when the connection breaks; return the outcome. */
  async function sitDownWhileItBreaks(): Promise<Promise<Room>[]> {
    connect();
    line().welcome();
    const watching = session.enter(ROOM, null, "watch");
    line().admit();
    await watching;
    const sitting = session.enter(ROOM, null, "join");
    line().break();
    vi.advanceTimersByTime(100);
    line().welcome();
    expect(line().count("join")).toBe(1);
    expect(line().count("watch")).toBe(0);
    return [sitting];
  }

  test("a pending join does not fall back to watching", async () => {
    const [sitting] = await sitDownWhileItBreaks();
    line().admit();
    const room = await sitting;
    expect(room?.state.seat).toBe(0);
    expect(line().count("watch")).toBe(0);
    room?.ask({ type: "start" }).catch(() => undefined);
    expect(line().count("start")).toBe(1);
  });

  test("a refused join falls back to watching", async () => {
    const [sitting] = await sitDownWhileItBreaks();
    line().say({ type: "error", ref: line().last("join").ref, code: "room.full", detail: "every seat is taken" });
    await expect(sitting).rejects.toThrow("every seat is taken");
    expect(line().count("watch")).toBe(1);
    line().admit("resumed");
    await settle();
    line().pong();
    await settle();
    expect(session.rooms.get(ROOM)?.closed).toBeNull();
  });

  test("requests that may be sent twice wait for the next line, others fail", async () => {
    connect();
    line().welcome();
    const making = session.ask({ type: "create", ref: 99, game: "g" }, true);
    const asking = session.ask({ type: "rooms", ref: 5 });
    line().break();
    await expect(asking).rejects.toBeInstanceOf(DisconnectedError);
    vi.advanceTimersByTime(100);
    line().welcome();
    expect(line().last("create").ref).toBe(99);
    line().say({ type: "created", ref: 99, room: ROOM, code: "0000007", key: null });
    expect((await making).room).toBe(ROOM);
  });
});

describe("in a room", () => {
  test("a refused action says why and leaves the decision open", async () => {
    connect();
    line().welcome();
    const room = await enter();
    ask(room);
    const verdict = room.act({ type: "bid", card: 9 });
    const { id } = line().last("act");
    line().say({
      type: "verdict",
      room: ROOM,
      id,
      code: "bid.spent",
      detail: "not in your hand",
      p: 1,
      q: 0,
      receipt: null,
    });
    await expect(verdict).rejects.toEqual(new RejectedError("bid.spent", "not in your hand"));
    expect(room.state.prompt?.turn).toBe(1);
  });

  test("a decision that another tab has made is open no more, and a new one is", async () => {
    connect();
    line().welcome();
    const room = await enter();
    const notices: unknown[] = [];
    room.on("notice", (notice) => notices.push(notice));
    await settle();
    ask(room, 1);
    line().say({ type: "notice", room: ROOM, code: "seat.decided", detail: "" });
    expect(room.state.prompt).toBeNull();
    expect(notices).toEqual([]);
    await expect(room.act({ type: "peek" })).rejects.toEqual(new RejectedError("act.stale", "it is not your turn"));
    ask(room, 2);
    expect(room.state.prompt?.turn).toBe(2);
  });

  test("legal actions that the server does not repeat are those of the last list", async () => {
    connect();
    line().welcome();
    const room = await enter();
    const actions = [{ type: "peek" }];
    const list = { type: "legal", room: ROOM, turn: 1, complete: true } as const;
    ask(room, 1);
    const first = room.legal();
    expect(line().last("legal").notes).toBe(true);
    line().say({ ...list, ref: line().last("legal").ref, actions, notes: ["1 look"] });
    expect(await first).toEqual({ turn: 1, complete: true, actions, notes: ["1 look"] });
    const second = room.legal();
    line().say({ ...list, ref: line().last("legal").ref, turn: 2, actions: null, notes: null });
    expect(await second).toEqual({ turn: 2, complete: true, actions, notes: ["1 look"] });
  });

  test("a temporary refusal of the legal actions is retried while the decision is open", async () => {
    connect();
    line().welcome();
    const room = await enter();
    const hold = (): void =>
      line().say({ type: "error", ref: line().last("legal").ref, code: "room.busy", detail: "" });
    ask(room, 1);
    const failed = expect(room.legal()).rejects.toMatchObject({ code: "room.busy" });
    hold();
    await vi.advanceTimersByTimeAsync(HEALING_MS);
    expect(line().count("legal")).toBe(2);
    hold();
    ask(room, 2);
    await vi.advanceTimersByTimeAsync(HEALING_MS);
    expect(line().count("legal")).toBe(2);
    await failed;
  });

  test("a copy that drifted heals with a snapshot", async () => {
    connect();
    line().welcome();
    const room = await enter();
    const clock = { at: 0, turn: 1, deadline: 1000, banks: [] };
    line().say({ type: "update", room: ROOM, p: 2, patch: [[["n"], 1]], events: [], clock, sum: 1 });
    expect(line().last("resync")).toMatchObject({ room: ROOM, reason: "view.drift" });
    const sums = { public_sum: checksum({ n: 1 }), private_sum: checksum(null) };
    line().say({ type: "snapshot", room: ROOM, life: 1, p: 2, q: 0, public: { n: 1 }, private: null, clock, ...sums });
    expect(room.state.public).toEqual({ n: 1 });
  });

  test("a room that moved is entered again on the same line", async () => {
    connect();
    line().welcome();
    await enter();
    line().say({ type: "notice", room: ROOM, code: "room.moved", detail: "" });
    expect(line().count("join")).toBe(2);
    expect(line().last("join").position).toEqual({ life: 1, p: 1, q: 0 });
    expect(lines.length).toBe(1);
  });

  test.each([
    ["room.kicked", "public", null],
    ["room.kicked", "nobody", "you are out"],
    ["room.left", "nobody", "you are out"],
  ])("after %s, where %s may watch, the room says: %s", async (code, watch, said) => {
    connect();
    line().welcome();
    const entering = session.enter(ROOM, null, "join");
    line().admit("joined", { ...ABOUT, room_options: { watch } });
    const room = await entering;
    line().say({ type: "notice", room: ROOM, code, detail: "you are out" });
    expect(room.closed?.message ?? null).toBe(said);
    expect(session.rooms.size).toBe(said ? 0 : 1);
  });

  test("a new life fails the unanswered actions of the old one", async () => {
    connect();
    line().welcome();
    const room = await enter();
    ask(room);
    const verdict = room.act({ type: "bid", card: 4 });
    const { ref } = line().last("join");
    line().say({
      type: "joined",
      ref,
      room: ROOM,
      code: "0000007",
      life: 2,
      seat: 0,
      seat_token: "seat",
      about: ABOUT,
    });
    await expect(verdict).rejects.toBeInstanceOf(DisconnectedError);
  });

  function seat(isStoodIn: boolean): void {
    const ada = { seat: 0, player: "ada", name: "Ada", connected: true, out: false, grace: null, kept: null };
    const seats = [{ ...ada, bot: isStoodIn ? "greedy" : null, stood_in: isStoodIn, hired: false }];
    line().say({ type: "seats", room: ROOM, phase: "playing", host: "ada", seats, watching: 0 });
  }

  test("a seat played by a bot is reclaimed on entry", async () => {
    connect();
    line().welcome();
    await enter();
    seat(true);
    expect(line().count("reclaim")).toBe(1);
    seat(true);
    expect(line().count("reclaim")).toBe(1);
  });

  test("a seat played by a bot is left to it by a session that reclaims none", async () => {
    session = newSession(dial, undefined, undefined, undefined, { reclaims: false });
    session.start();
    line().welcome();
    await enter();
    seat(true);
    expect(line().count("reclaim")).toBe(0);
  });

  test("a bot that stands in later stays until the owner enters again", async () => {
    connect();
    line().welcome();
    await enter();
    seat(false);
    seat(true);
    expect(line().count("reclaim")).toBe(0);
    line().break();
    vi.advanceTimersByTime(100);
    line().welcome();
    line().admit("resumed");
    seat(true);
    await settle();
    line().pong();
    await settle();
    expect(line().count("reclaim")).toBe(1);
  });
});
