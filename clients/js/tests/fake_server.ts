/** The server end of a session's websocket, controlled by a test. */

import { type Cells, PLAIN_CELLS } from "../src/cells.js";
import type { ConnectionOptions } from "../src/connection.js";
import type { About, ClientMessage, ServerMessage } from "../src/generated/messages.js";
import { type IdentityStore, MemoryIdentity } from "../src/identity.js";
import { Session } from "../src/session.js";
import type { Socket } from "../src/socket.js";
import { checksum } from "../src/wire/canonical.js";
import { decodeClient, encodeServer } from "../src/wire/codec.js";

export const ABOUT: About = {
  game: "g",
  rules_version: 1,
  seats: 2,
  options: {},
  room_options: {},
  commitment: "",
  follows: null,
};
export const ROOM = 7;

/** Return a session whose websockets come from *dial*. */
export function newSession(
  dial: () => Line,
  identity: IdentityStore = new MemoryIdentity(),
  now: () => number = () => performance.now(),
  cells: Cells = PLAIN_CELLS,
  more: Pick<ConnectionOptions, "reclaims"> = {},
): Session {
  return new Session("ws://test/ws", { identity, dial, now, cells, ...more });
}

/** One websocket, seen from the server. */
export class Line implements Socket {
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  onerror: Socket["onerror"] = null;
  binaryType = "blob";
  readonly sent: ClientMessage[] = [];
  isClosed = false;

  send(data: unknown): void {
    const message = decodeClient(data as Uint8Array);
    if (message) this.sent.push(message);
  }

  close(): void {
    this.isClosed = true;
  }

  open(): void {
    this.onopen?.({});
  }

  say(message: ServerMessage): void {
    const data = encodeServer(message).slice().buffer;
    this.onmessage?.({ data });
  }

  break(code = 1006, reason = ""): void {
    this.onclose?.({ code, reason });
  }

  last<Kind extends ClientMessage["type"]>(type: Kind): Extract<ClientMessage, { type: Kind }> {
    const found = this.sent.findLast((message) => message.type === type);
    if (!found) throw new Error(`no ${type} was sent`);
    return found as Extract<ClientMessage, { type: Kind }>;
  }

  count(type: ClientMessage["type"]): number {
    return this.sent.filter((message) => message.type === type).length;
  }

  welcome(token = "token"): void {
    this.open();
    const { ref } = this.last("hello");
    this.say({ type: "welcome", ref, version: 1, player: "ada", token, name: "Ada", server: "test" });
  }

  /** Answer the latest join or watch with the initial state of the room. */
  admit(type: "joined" | "resumed" = "joined", about = ABOUT): void {
    const asked = this.sent.findLast((message) => message.type === "join" || message.type === "watch");
    if (!asked) throw new Error("nobody wants to enter");
    const place = asked.type === "join" ? { seat: 0, seat_token: "seat" } : { seat: null, seat_token: null };
    this.say({ type, ref: asked.ref, room: ROOM, code: "0000007", life: 1, about, ...place });
    if (type === "resumed") return;
    const sums = { public_sum: checksum({ n: 0 }), private_sum: checksum(null) };
    const clock = { at: 0, turn: 1, deadline: 1000, banks: [] };
    this.say({ type: "snapshot", room: ROOM, life: 1, p: 1, q: 0, public: { n: 0 }, private: null, clock, ...sums });
  }

  pong(): void {
    this.say({ type: "pong", ref: this.last("ping").ref });
  }
}
