/** One websocket after another: hello, reconnects with growing delays, and a pulse that notices a dead line. */

import { delayBefore, newRef } from "./backoff.js";
import { type Cell, type Cells, PLAIN_CELLS } from "./cells.js";
import { DisconnectedError, RejectedError, VersionError, type WarroomError, WireError } from "./errors.js";
import {
  type ClientMessage,
  PROTOCOL_VERSIONS,
  RELEASE,
  type Error as Refusal,
  type ServerMessage,
  type Welcome,
} from "./generated/messages.js";
import type { IdentityStore } from "./identity.js";
import type { Dial, Socket } from "./socket.js";
import { decodeServer, encodeClient } from "./wire/codec.js";

/** The connection state: `open` after the welcome, `over` if a reconnect cannot help. */
export type ConnectionState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  | { readonly kind: "waiting"; readonly attempt: number }
  | { readonly kind: "over"; readonly error: WarroomError };

export interface ConnectionOptions {
  readonly identity: IdentityStore;
  readonly dial: Dial;
  readonly cells?: Cells;
  /** The name of the program, for the operator. */
  readonly agent?: string;
  /** The name of the bot, if the player is one. */
  readonly bot?: string | null;
  /** Whether to take back a seat that a bot plays, on entering its room; true by default. */
  readonly reclaims?: boolean;
  readonly now?: () => number;
}

/** Who uses the connection. */
export interface Owner {
  /** Handle a message other than the answers to `hello`. */
  received(message: ServerMessage): void;
  /** The connection is up, down or over. */
  turned(state: ConnectionState): void;
  /** The websocket is gone; with *error* for good. */
  broken(error?: WarroomError): void;
  /** Return after a round trip. */
  ping(): Promise<unknown>;
}

const THIS = `warroom-client ${RELEASE} (JavaScript)`;
const CLOSE_VERSION = 4002;
const FINAL_CLOSES = new Set([1002, 1003, 1007, 1009, 4001, CLOSE_VERSION, 4005]);
/** How a connection ends that nobody closed. */
const SILENT = { code: 1006, reason: "" };
/** Time limit from the dial to the welcome. */
const GREETING_MS = 15_000;
const PING_MS = 10_000;
const SILENCE_MS = 8_000;
const STEADY_MS = 10_000;

export class Connection {
  readonly cells: Cells;
  readonly now: () => number;
  private readonly shown: Cell<ConnectionState>;
  private readonly greeting: Cell<Welcome | null>;
  private socket: Socket | null = null;
  private isUp = false;
  private attempt = 0;
  private openedAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setTimeout> | undefined;
  private sentToken: string | null = null;
  private helloRef = 0;
  /** Why the server refused the hello. */
  private refusal: WarroomError | null = null;

  constructor(
    private readonly url: string,
    private readonly options: ConnectionOptions,
    private readonly owner: Owner,
  ) {
    this.cells = options.cells ?? PLAIN_CELLS;
    this.now = options.now ?? (() => performance.now());
    this.shown = this.cells.cell<ConnectionState>({ kind: "connecting" });
    this.greeting = this.cells.cell<Welcome | null>(null);
  }

  get state(): ConnectionState {
    return this.shown.value;
  }

  /** The latest welcome; null before the first. */
  get welcome(): Welcome | null {
    return this.greeting.value;
  }

  /** The state and the player, without observing them. */
  peek(): { readonly state: ConnectionState; readonly player: string } {
    return { state: this.shown.peek(), player: this.greeting.peek()?.player ?? "" };
  }

  get isOpen(): boolean {
    return this.isUp;
  }

  start(): void {
    clearTimeout(this.timer);
    if (this.socket) return;
    const socket = this.options.dial(this.url);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.greet(socket);
    socket.onmessage = (event: { readonly data: unknown }) => this.hear(socket, event.data);
    socket.onclose = (event: { readonly code: number; readonly reason: string }) => this.lost(socket, event);
    socket.onerror = () => undefined; // a close follows; without a listener, some implementations would throw
    this.socket = socket;
    this.pulse = setTimeout(() => this.lost(socket, SILENT), GREETING_MS);
    if (this.shown.peek().kind !== "waiting") this.turn({ kind: "connecting" });
  }

  /** Reconnect at once: the browser is online again, or the page is visible again. */
  hurry(): void {
    if (this.shown.peek().kind === "waiting") this.start();
    else if (this.isUp) this.beat();
  }

  /** Say hello again, under another name or as another tab's player. */
  restart(): void {
    this.attempt = 0;
    this.hangUp();
    this.start();
  }

  /** End the connection for good. */
  end(error: WarroomError): void {
    if (this.shown.peek().kind === "over") return;
    this.hangUp(error);
    this.turn({ kind: "over", error });
  }

  send(message: ClientMessage): void {
    this.socket?.send(encodeClient(message));
  }

  private turn(state: ConnectionState): void {
    this.shown.value = state;
    this.owner.turned(state);
  }

  private greet(socket: Socket): void {
    if (socket !== this.socket) return;
    const { identity, agent = THIS, bot = null } = this.options;
    this.sentToken = identity.token;
    this.refusal = null;
    this.openedAt = this.now();
    this.helloRef = newRef();
    const { helloRef: ref, sentToken: token } = this;
    try {
      this.send({ type: "hello", ref, versions: PROTOCOL_VERSIONS, name: identity.name, token, agent, bot });
    } catch (error) {
      this.end(error as WarroomError); // a name that cannot be sent
    }
  }

  private hear(socket: Socket, data: unknown): void {
    if (socket !== this.socket || !(data instanceof ArrayBuffer)) return;
    let message: ServerMessage | null;
    try {
      message = decodeServer(new Uint8Array(data));
    } catch (error) {
      const server = this.greeting.peek()?.server ?? "the server";
      this.end(new WireError(`${server} sent what ${THIS} cannot read: ${(error as WireError).message}`));
      return;
    }
    if (message) this.cells.batch(() => this.dispatch(message));
  }

  private dispatch(message: ServerMessage): void {
    if (message.type === "welcome") this.welcomed(message);
    else if (message.type === "error" && message.ref === this.helloRef) this.refused(message);
    else this.owner.received(message);
  }

  private welcomed(welcome: Welcome): void {
    if (!PROTOCOL_VERSIONS.includes(welcome.version)) {
      this.end(otherVersion(`${welcome.server} speaks version ${welcome.version} of the protocol`));
    } else if (!this.options.identity.welcome(this.sentToken, welcome.token)) {
      this.restart(); // another tab of this browser created a player meanwhile: use it
    } else {
      this.isUp = true;
      this.greeting.value = welcome;
      this.turn({ kind: "open" });
      this.beat();
    }
  }

  private refused({ code, detail }: Refusal): void {
    if (code === "hello.token" && this.sentToken !== null) {
      this.options.identity.forget(this.sentToken); // a server that does not know us: become a new player there
      this.restart();
    } else {
      this.refusal = code === "hello.version" ? otherVersion(detail) : new RejectedError(code, detail);
    }
  }

  private lost(socket: Socket, { code, reason }: { readonly code: number; readonly reason: string }): void {
    if (socket !== this.socket) return;
    // A failed dial says nothing about the stability of the last connection.
    if (this.isUp && this.now() - this.openedAt > STEADY_MS) this.attempt = 0;
    if (FINAL_CLOSES.has(code)) {
      this.end(this.refusal ?? finalError(code, reason || `the server closed the connection (${code})`));
      return;
    }
    this.hangUp();
    const { attempt } = this;
    this.attempt += 1;
    this.timer = setTimeout(() => this.start(), delayBefore(attempt));
    this.turn({ kind: "waiting", attempt });
  }

  private hangUp(error?: WarroomError): void {
    const { socket } = this;
    this.socket = null;
    this.isUp = false;
    clearTimeout(this.pulse);
    clearTimeout(this.timer);
    socket?.close();
    this.owner.broken(error);
  }

  /** Ping now and then: a connection can die silently. */
  private beat(): void {
    const { socket } = this;
    if (!socket || !this.isUp) return;
    clearTimeout(this.pulse);
    const silence = setTimeout(() => this.lost(socket, SILENT), SILENCE_MS);
    this.owner
      .ping()
      .then(() => {
        if (socket !== this.socket) return;
        clearTimeout(this.pulse); // another ping may have set it meanwhile
        this.pulse = setTimeout(() => this.beat(), PING_MS);
      })
      .catch(() => undefined)
      .finally(() => clearTimeout(silence));
  }
}

function finalError(close: number, reason: string): WarroomError {
  return close === CLOSE_VERSION ? otherVersion(reason) : new DisconnectedError(reason, "client.closed", close);
}

/** Name both sides: what the server says, and what this client speaks. */
function otherVersion(server: string): VersionError {
  return new VersionError(`${server}; ${THIS} speaks version ${PROTOCOL_VERSIONS.join(", ")}`);
}
