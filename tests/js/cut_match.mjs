/**
 * Plays one match over connections that break at random, and compares every checksum and the result.
 *
 *     node cut_match.mjs URL SETTINGS   (JSON: game, seats, options, seed, cuts, cutAfter, module of a WebSocket)
 *
 * Prints what it counted, as JSON. Any difference ends it with an error.
 */

import assert from "node:assert/strict";
import { createServer, connect as dial } from "node:net";
import { setTimeout } from "node:timers/promises";

import { connect } from "warroom-client";
import { checksum } from "warroom-client/wire";

const [url, given] = process.argv.slice(2);
const { game, seats, options, seed, cuts, cutAfter, websocket } = JSON.parse(given);
let isCutting = true;
const TOO_LATE = new Set(["act.stale", "act.late", "room.ended"]);
const ROOM_OPTIONS = { turn_ms: 60_000, seating: "as_joined", watch: "public", delay: 0 };
const counts = { cuts: 0, sums: 0, updates: 0, acts: 0, prompts: 0 };

/** Pseudo-random numbers below a limit. */
let drawn = seed;
function draw(below) {
  drawn = (Math.imul(drawn ^ (drawn >>> 15), 2246822519) + 3266489917) >>> 0;
  return Math.floor((drawn / 2 ** 32) * below);
}

/** Relay connections to the server, and cut each after a random number of bytes in one of its directions. */
async function cuttingProxy() {
  const server = createServer((near) => {
    const far = dial(Number(new URL(url).port), new URL(url).hostname);
    const end = () => [near, far].forEach((line) => line.destroy());
    relay(near, far, draw(2) ? Infinity : 300 + draw(cutAfter / 4), end);
    relay(far, near, 300 + draw(cutAfter), end);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

function relay(from, to, allowed, end) {
  let left = allowed;
  from.on("error", end).on("close", end);
  from.on("data", (chunk) => {
    if (isCutting && counts.cuts < cuts && chunk.length > left) {
      counts.cuts += 1;
      to.write(chunk.subarray(0, left), end);
    } else to.write(chunk);
    left -= chunk.length;
  });
}

/** Compare a room's copy with each checksum that the server sends. */
function verify(client, room) {
  let joint = null;
  client.on("message", (message) => {
    if (message.room !== room.number) return;
    const { state } = room;
    if (message.type === "joined" || message.type === "resumed") joint = null;
    if (message.type === "private" && message.joint) joint = message;
    else if (message.type === "private" && message.q === state.q) compare(state.private, message.sum);
    if (message.type === "update" && message.p === state.p) {
      compare(state.public, message.sum);
      if (joint?.q === state.q) compare(state.private, joint.sum);
    }
    if (message.type === "snapshot") {
      compare(state.public, message.public_sum);
      compare(state.private, message.private_sum);
    }
  });
}

function compare(view, sum) {
  if (sum === null) return;
  assert.equal(checksum(view), sum);
  counts.sums += 1;
}

/** Answer every prompt at random; the same decision is announced once. */
function play(room) {
  const asked = new Set();
  room.on("prompt", async ({ turn }) => {
    assert.ok(!asked.has(turn), `decision ${turn} was announced twice`);
    asked.add(turn);
    counts.prompts += 1;
    try {
      const legal = await room.legal();
      if (legal.turn !== turn || !legal.actions.length) return;
      await room.act(legal.actions[draw(legal.actions.length)], turn);
      counts.acts += 1;
    } catch (error) {
      if (!TOO_LATE.has(error.code)) throw error;
    }
  });
}

function follow(client, room) {
  verify(client, room);
  room.on("update", () => {
    counts.updates += 1;
  });
}

const implementation = websocket ? { WebSocket: (await import(websocket)).default } : {};
const proxy = await cuttingProxy();
const address = `ws://127.0.0.1:${proxy.address().port}/ws`;
const join = async (name) => {
  for (;;) {
    try {
      return await connect(address, { name, ...implementation });
    } catch (error) {
      if (error.code !== "client.disconnected") throw error; // cut before the welcome
    }
  }
};

const clients = await Promise.all(Array.from({ length: seats + 1 }, (_, index) => join(`Player ${index}`)));
const [host, ...others] = clients;
const watcher = others.pop();
const first = await host.create(game, { seats, options, roomOptions: ROOM_OPTIONS });
follow(host, first);
play(first);
const watched = await watcher.watch(first.invitation);
follow(watcher, watched);
const rooms = [first];
for (const client of others) {
  const room = await client.join(first.invitation);
  follow(client, room);
  play(room);
  rooms.push(room);
}

const results = await Promise.all([...rooms, watched].map((room) => room.ended()));
isCutting = false;
for (const room of [...rooms, watched]) {
  assert.equal(room.state.hasDrifted, false);
  assert.deepEqual(room.state.public, first.state.public);
}

// What somebody sees and is told who was never cut off.
const judge = await connect(url, { name: "Judge", ...implementation });
const seen = await judge.watch(first.invitation);
assert.deepEqual(seen.state.public, first.state.public);
for (const { ranks, reason } of results) assert.deepEqual({ ranks, reason }, pick(seen.state.ended));
assert.deepEqual(pick(await archived(first.number)), pick(results[0]));

/** A match is archived soon after its end. */
async function archived(number) {
  for (;;) {
    const { matches } = await judge.ask({ type: "matches", game });
    const found = matches.find(({ room }) => room === number);
    if (found) return found;
    await setTimeout(50);
  }
}

function pick({ ranks, reason }) {
  return { ranks, reason };
}

for (const client of [...clients, judge]) client.close();
proxy.close();
console.log(JSON.stringify({ ...counts, result: pick(results[0]), turn: first.state.clock.turn, code: first.code }));
