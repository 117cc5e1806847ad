/** The client as programs use it, against a server that the test plays itself. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import {
  connect,
  DisconnectedError,
  InputError,
  type Prompt,
  VersionError,
  WarroomError,
  WireError,
} from "../src/index.js";
import { Session } from "../src/session.js";
import { socketUrl, type WebSocketClass } from "../src/socket.js";
import { ABOUT, Line, ROOM } from "./fake_server.js";

let lines: Line[];
let addresses: string[];

class WebSocket extends Line {
  constructor(url: string) {
    super();
    addresses.push(url);
    lines.push(this);
  }
}

function line(): Line {
  const last = lines.at(-1);
  if (!last) throw new Error("nobody connected");
  return last;
}

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

function begin() {
  return connect("ws://test", { name: "Ada", bot: "first", WebSocket: WebSocket as WebSocketClass });
}

async function opened() {
  const connecting = begin();
  line().welcome();
  return connecting;
}

/** Let the room be entered, and everything of the entry arrive. */
async function admit(about = ABOUT): Promise<void> {
  await settle();
  line().admit("joined", about);
  await settle();
  line().pong();
  await settle();
}

function prompt(turn: number): void {
  line().say({ type: "prompt", room: ROOM, seat: 0, turn, at: 0, deadline: 1000 });
}

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  addresses = [];
});

afterEach(() => {
  vi.useRealTimers();
});

describe("an address", () => {
  test.each([
    ["ws://host:8000/ws", "ws://host:8000/ws"],
    ["ws://host:8000", "ws://host:8000/ws"],
    ["http://host:8000/", "ws://host:8000/ws"],
    ["https://host/games/ws?format=x", "wss://host/games/ws?format=x"],
    ["wss://host", "wss://host/ws"],
  ])("%s leads to %s", (address, url) => {
    expect(socketUrl(address)).toBe(url);
  });

  test.each(["", "host", "ftp://host/ws", "localhost:8000"])("%s is refused", (address) => {
    expect(() => socketUrl(address)).toThrow(InputError);
  });
});

describe("connecting", () => {
  test("says who it is, and returns with the welcome", async () => {
    const connecting = begin();
    line().open();
    expect(addresses).toEqual(["ws://test/ws"]);
    expect(line().last("hello")).toMatchObject({ versions: [1], name: "Ada", token: null, bot: "first" });
    expect(line().last("hello").agent).toMatch(/^warroom-client \d+\.\d+\.\d+ \(JavaScript\)$/);
    line().welcome("secret");
    const client = await connecting;
    expect([client.player, client.name, client.token]).toEqual(["ada", "Ada", "secret"]);
    expect(client.connection).toEqual({ kind: "open" });
  });

  test("fails at once if the server cannot be reached, and is not tried again", async () => {
    const failed = expect(begin()).rejects.toMatchObject({
      code: "client.disconnected",
      message: "ws://test/ws cannot be reached",
    });
    line().break();
    await failed;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines.length).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("fails if nobody answers", async () => {
    const failed = expect(begin()).rejects.toBeInstanceOf(DisconnectedError);
    line().open();
    await vi.advanceTimersByTimeAsync(15_000);
    await failed;
    expect(line().isClosed).toBe(true);
  });

  test("fails with the reason of a refused hello", async () => {
    const failed = expect(begin()).rejects.toMatchObject({ code: "hello.key", message: "no such key" });
    line().open();
    line().say({ type: "error", ref: line().last("hello").ref, code: "hello.key", detail: "no such key" });
    line().break(4001, "bad hello");
    await failed;
  });

  test("fails with a name that cannot be sent", async () => {
    const options = { name: "x".repeat(5000), WebSocket: WebSocket as WebSocketClass };
    const failed = expect(connect("ws://test", options)).rejects.toMatchObject({ code: "client.input" });
    line().open();
    await failed;
    expect(line().isClosed).toBe(true);
  });

  test("needs a WebSocket", async () => {
    vi.stubGlobal("WebSocket", undefined);
    await expect(connect("ws://test")).rejects.toMatchObject({ code: "client.input" });
    vi.unstubAllGlobals();
  });
});

describe("a server of another version", () => {
  const OURS = /warroom-client \d+\.\d+\.\d+ \(JavaScript\) speaks version 1$/;

  async function failure(happen: () => void): Promise<WarroomError> {
    const failed = begin().catch((error: WarroomError) => error);
    line().open();
    happen();
    return (await failed) as WarroomError;
  }

  test("that refuses ours is named with ours", async () => {
    const detail = "the server speaks protocol 2, 3, the client 1: update the client";
    const error = await failure(() => {
      line().say({ type: "error", ref: line().last("hello").ref, code: "hello.version", detail });
      line().break(4002, "no common protocol version");
    });
    expect(error).toBeInstanceOf(VersionError);
    expect(error.code).toBe("hello.version");
    expect(error.message).toContain(detail);
    expect(error.message).toMatch(OURS);
  });

  test("that only closes is an error of the same kind", async () => {
    const error = await failure(() => line().break(4002, "no common protocol version"));
    expect(error).toBeInstanceOf(VersionError);
    expect(error.message).toMatch(OURS);
  });

  test("that chooses one that was not offered is named with ours", async () => {
    const welcome = { type: "welcome", ref: 1, player: "ada", token: "t", name: "", server: "warroom/9.0" } as const;
    const error = await failure(() => line().say({ ...welcome, version: 9 }));
    expect(error).toBeInstanceOf(VersionError);
    expect(error.message).toMatch(/^warroom\/9\.0 speaks version 9 of the protocol; /);
    expect(error.message).toMatch(OURS);
    expect(line().isClosed).toBe(true);
  });

  test("whose messages cannot be read ends the connection, which says whose they were", async () => {
    const client = await opened();
    const ended = expect(client.ask({ type: "games" })).rejects.toBeInstanceOf(WireError);
    line().onmessage?.({ data: Uint8Array.of(0x91, 0xa4, 0x73, 0x61, 0x69, 0x64).buffer });
    await ended;
    const { connection } = client;
    const message = connection.kind === "over" ? connection.error.message : "";
    expect(message).toMatch(/^test sent what warroom-client .* cannot read: the field room is missing$/);
  });

  test("may send messages that nobody knows, and text", async () => {
    const client = await opened();
    line().onmessage?.({ data: Uint8Array.of(0x92, 0xa3, 0x6e, 0x65, 0x77, 1).buffer });
    line().onmessage?.({ data: "text" });
    expect(client.connection.kind).toBe("open");
  });
});

describe("rooms", () => {
  test("are created and entered, and are complete then", async () => {
    const client = await opened();
    const creating = client.create("strata", { seats: 2, options: { max_turns: 9 }, roomOptions: { turn_ms: 5 } });
    const { ref, ...asked } = line().last("create");
    expect(asked).toEqual({
      type: "create",
      game: "strata",
      seats: 2,
      options: { max_turns: 9 },
      room_options: { turn_ms: 5 },
    });
    line().say({ type: "created", ref, room: ROOM, code: "0000007", key: "k" });
    await admit();
    const room = await creating;
    expect(line().last("join")).toMatchObject({ room: ROOM, key: "k" });
    expect([room.code, room.invitation, room.state.seat]).toEqual(["0000007", "0000007-k", 0]);
    expect(room.state.public).toEqual({ n: 0 });
  });

  test.each<[string | number, string | null, string | null]>([
    ["0000007", null, null],
    ["0000007-key", null, "key"],
    ["http://test/#/r/0000007-key", null, "key"],
    [7, "key", "key"],
  ])("%s is joined", async (room, key, sent) => {
    const client = await opened();
    const joining = client.join(room, key);
    await admit();
    expect((await joining).number).toBe(ROOM);
    expect(line().last("join")).toMatchObject({ room: ROOM, key: sent });
  });

  test.each(["say", "kick", "start", "leave", "create"])("are not changed by client.ask: %s", async (type) => {
    const client = await opened();
    const { length } = line().sent;
    const asked = client.ask({ type, room: ROOM } as unknown as { type: "games" });
    await expect(asked).rejects.toMatchObject({ code: "client.input", message: expect.stringContaining(type) });
    expect(line().sent.length).toBe(length);
  });

  test("a quick match looks again if another player was faster", async () => {
    const client = await opened();
    const searching = client.quick("strata");
    line().say({ type: "created", ref: line().last("quick").ref, room: 6, code: "0000006", key: null });
    await settle();
    line().say({ type: "error", ref: line().last("join").ref, code: "room.full", detail: "" });
    await settle();
    expect(line().count("quick")).toBe(2);
    line().say({ type: "created", ref: line().last("quick").ref, room: ROOM, code: "0000007", key: null });
    await admit();
    expect((await searching).number).toBe(ROOM);
  });

  test("another refusal of a quick match is passed on", async () => {
    const client = await opened();
    const searching = expect(client.quick("strata")).rejects.toMatchObject({ code: "room.limit" });
    line().say({ type: "error", ref: line().last("quick").ref, code: "room.limit", detail: "" });
    await searching;
    expect(line().count("quick")).toBe(1);
  });

  async function watched() {
    const client = await opened();
    const joining = client.join("0000007");
    await admit();
    return { client, room: await joining };
  }

  test("announce a decision once, also if a break repeats it", async () => {
    const { room } = await watched();
    const turns: number[] = [];
    room.on("prompt", ({ turn }) => turns.push(turn));
    await settle();
    prompt(1);
    line().break();
    await vi.advanceTimersByTimeAsync(100);
    line().welcome();
    line().admit("resumed");
    prompt(1);
    prompt(2);
    expect(turns).toEqual([1, 2]);
  });

  test("keep what happens for the first listeners, without decisions that are over", async () => {
    const { room } = await watched();
    prompt(1);
    prompt(2);
    const heard: unknown[] = [];
    room.on("update", ({ isFresh }) => heard.push(["update", isFresh]));
    room.on("prompt", ({ turn }: Prompt) => heard.push(["prompt", turn]));
    expect(heard).toEqual([]);
    await settle();
    expect(heard).toEqual([
      ["update", true],
      ["prompt", 2],
    ]);
    const later = room.on("update", () => heard.push("later"));
    await settle();
    expect(heard.length).toBe(2);
    later();
  });

  test("keep a limited number of events", async () => {
    const { room } = await watched();
    const said = { type: "said", room: ROOM, player: "bob", name: "Bob", seat: 1 } as const;
    for (let at = 0; at < 300; at++) line().say({ ...said, at, text: `${at}` });
    const heard: string[] = [];
    room.on("said", ({ text }) => heard.push(text));
    await settle();
    expect(heard).toEqual(Array.from({ length: 256 }, (_, index) => `${index + 44}`));
  });

  test("a listener that throws harms no other, and its error is not lost", async () => {
    const { room } = await watched();
    const heard: string[] = [];
    room.on("change", () => {
      throw new Error("mine");
    });
    room.on("change", () => heard.push("change"));
    const stop = room.on("change", () => heard.push("stopped"));
    stop();
    await settle();
    expect(() => {
      prompt(1);
      vi.advanceTimersByTime(0);
    }).toThrow("mine");
    expect(heard).toEqual(["change"]);
    expect(room.state.prompt?.turn).toBe(1);
  });

  test("have a result in the end, for those who ask before and after", async () => {
    const { room } = await watched();
    const before = room.ended();
    const seal = { seed: "00", chain: "11", detail: "", rated: false, left: [] };
    const ended: unknown[] = [];
    room.on("ended", ({ reason }) => ended.push(reason));
    for (let time = 0; time < 2; time++)
      line().say({ type: "ended", room: ROOM, ranks: [2, 1], reason: "victory", ...seal });
    expect(await before).toMatchObject({ ranks: [2, 1], reason: "victory" });
    expect(await room.ended()).toEqual(await before);
    expect(ended).toEqual(["victory"]);
  });

  test("are closed with the client, and whatever waits for them fails", async () => {
    const { client, room } = await watched();
    prompt(1);
    const closed: string[] = [];
    room.on("closed", ({ code }) => closed.push(code));
    await settle();
    const waiting = [room.ended(), room.act({ type: "x" }), room.legal(), client.ask({ type: "games" })];
    const told = Promise.all(waiting.map((each) => expect(each).rejects.toMatchObject({ code: "client.closed" })));
    client.close();
    await told;
    await expect(room.ended()).rejects.toMatchObject({ code: "client.closed" });
    expect(closed).toEqual(["client.closed"]);
    expect(line().isClosed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("are closed once, however often the client is", async () => {
    const { client, room } = await watched();
    const heard: string[] = [];
    client.on("connection", ({ kind }) => heard.push(kind));
    room.on("closed", ({ code }) => heard.push(code));
    await settle();
    client.close();
    client.close();
    expect(heard).toEqual(["client.closed", "over"]);
  });

  test("an action that cannot be sent is refused, and the decision stays open", async () => {
    const { room } = await watched();
    prompt(1);
    await expect(room.act({ share: 0.5 })).rejects.toMatchObject({ code: "client.input" });
    expect(room.waiting).toEqual([]);
    expect(line().count("act")).toBe(0);
    expect(room.state.prompt?.turn).toBe(1);
  });

  test("are left", async () => {
    const { client, room } = await watched();
    prompt(1);
    const closed: string[] = [];
    room.on("closed", ({ code, message }) => closed.push(code, message));
    await settle();
    const waiting = [room.ended(), room.act({ type: "x" }), room.legal(), room.ask({ type: "fill" })];
    const settled = Promise.allSettled(waiting);
    const leaving = room.leave();
    expect(line().last("leave").room).toBe(ROOM);
    expect((await settled).map(({ status }) => status)).toEqual(Array.from(waiting, () => "rejected"));
    line().say({ type: "done", ref: line().last("leave").ref });
    await leaving;
    const { length } = line().sent;
    const later = [room.ended(), room.act({ type: "x" }, 1), room.legal(), room.ask({ type: "fill" })];
    for (const each of later) await expect(each).rejects.toMatchObject({ code: "client.closed" });
    client.close();
    expect(closed).toEqual(["client.closed", "the room was left"]);
    expect(room.closed?.message).toBe("the room was left");
    expect(line().sent.length).toBe(length);
  });

  function seats(phase: "lobby" | "playing"): void {
    const ada = { seat: 0, player: "ada", name: "Ada", connected: true, out: false, grace: null, kept: null };
    const own = [{ ...ada, bot: null, stood_in: false, hired: false }];
    line().say({ type: "seats", room: ROOM, phase, host: "ada", seats: own, watching: 0 });
  }

  async function reconnect(): Promise<void> {
    await vi.advanceTimersByTimeAsync(1_000);
    line().welcome();
    await settle();
  }

  test("left during a break are entered once more, to free the seat", async () => {
    const { room } = await watched();
    seats("lobby");
    line().break();
    const leaving = room.leave();
    expect(room.closed?.code).toBe("client.closed");
    await reconnect();
    expect(line().last("join")).toMatchObject({ room: ROOM, seat_token: "seat" });
    line().admit("resumed");
    await settle();
    line().say({ type: "done", ref: line().last("leave").ref });
    await leaving;
    expect([line().count("join"), line().count("leave")]).toEqual([1, 1]);
  });

  test.each([
    ["the line breaks", () => line().break(), () => reconnect()],
    [
      "the server has not let the player in again",
      () => line().say({ type: "error", ref: line().last("leave").ref, code: "room.not_here", detail: "" }),
      () => vi.advanceTimersByTimeAsync(1_000),
    ],
  ])("are entered once more if %s before the answer", async (_, refuse, retry) => {
    const { room } = await watched();
    seats("lobby");
    const leaving = room.leave();
    refuse();
    await retry();
    line().admit("resumed");
    await settle();
    line().say({ type: "done", ref: line().last("leave").ref });
    await leaving;
  });

  test("left during a break of the match are not entered again", async () => {
    const { room } = await watched();
    seats("playing");
    line().break();
    await room.leave();
    await reconnect();
    expect(line().count("join")).toBe(0);
  });

  test("a client that is closed does not free a seat", async () => {
    const { client, room } = await watched();
    seats("lobby");
    line().break();
    const leaving = room.leave();
    client.close();
    await leaving;
    expect(client.connection.kind).toBe("over");
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("cells of a framework hold what it shows", async () => {
  const written: unknown[] = [];
  let batches = 0;
  const cell = <Value>(first: Value) => {
    let held = first;
    return {
      get value() {
        return held;
      },
      set value(next: Value) {
        written.push(next);
        held = next;
      },
      peek: () => held,
    };
  };
  const batch = (change: () => void): void => {
    batches += 1;
    change();
  };
  const options = { identity: { token: null, name: "", welcome: () => true, forget: () => undefined } };
  const session = new Session("ws://test/ws", {
    ...options,
    dial: (url) => new WebSocket(url),
    cells: { cell, batch },
  });
  session.start();
  line().welcome();
  expect(session.connection).toEqual({ kind: "open" });
  expect(written).toContainEqual({ kind: "open" });
  expect(written).toContainEqual(session.welcome);
  expect(batches).toBe(1);
  expect(new WarroomError("a", "b").name).toBe("WarroomError");
});
