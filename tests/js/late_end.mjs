/**
 * Runs bot.mjs against a server that first refuses an action as busy, and ends the match while the next one is on its way.
 *
 *     node late_end.mjs MODULE   (of a WebSocketServer)
 */

import { once } from "node:events";

import { checksum, decodeClient, encodeServer } from "warroom-client/wire";

const { WebSocketServer } = await import(process.argv[2]);
const room = 7;
const about = { game: "g", rules_version: 1, seats: 2, options: {}, room_options: {}, commitment: "", follows: null };
const clock = { at: 0, turn: 1, deadline: 1000, banks: [] };
const sums = { public_sum: checksum({}), private_sum: checksum(null) };
const prompt = { type: "prompt", room, seat: 0, turn: 1, at: 0, deadline: 1000 };
const seal = { seed: "00", chain: "11", detail: "", rated: false, left: [] };
let acts = 0;

const answers = {
  hello: () => [{ type: "welcome", version: 1, player: "ada", token: "t", name: "Ada", server: "test" }],
  create: () => [{ type: "created", room, code: "0000007", key: null }],
  join: () => [
    { type: "joined", room, code: "0000007", life: 1, seat: 0, seat_token: "s", about },
    { type: "snapshot", room, life: 1, p: 1, q: 0, public: {}, private: null, clock, ...sums },
  ],
  ping: () => [{ type: "pong" }],
  fill: () => [{ type: "done" }, prompt],
  legal: () => [{ type: "legal", room, turn: 1, complete: true, actions: [{ type: "pass" }], notes: null }],
  act: ({ id }) => {
    acts += 1;
    if (acts > 1) return [{ type: "ended", room, ranks: [2, 1], reason: "victory", ...seal }];
    return [{ type: "verdict", room, id, code: "act.busy", detail: "", p: 1, q: 0, receipt: null }];
  },
};

const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
await once(server, "listening");
server.on("connection", (socket) => {
  socket.on("message", (data) => {
    const message = decodeClient(data);
    for (const answer of answers[message.type](message)) socket.send(encodeServer({ ref: message.ref, ...answer }));
  });
});

process.argv[2] = `ws://127.0.0.1:${server.address().port}/ws`;
await import("./bot.mjs");
server.close();
console.log("acts", acts);
