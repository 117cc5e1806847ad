/** Why something failed. Every error of this package is a `WarroomError` with a stable code. */

/** The base of all errors; *code* never changes its meaning, the message is for people. */
export class WarroomError extends Error {
  override readonly name: string = "WarroomError";

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The server refused a request or an action; docs/PROTOCOL_REFERENCE.md lists its codes. */
export class RejectedError extends WarroomError {
  override readonly name: string = "RejectedError";

  constructor(
    code: string,
    readonly detail: string,
  ) {
    super(code, detail || code);
  }
}

/** The connection is down (`client.disconnected`: the outcome is unknown) or over for good (`client.closed`). */
export class DisconnectedError extends WarroomError {
  override readonly name: string = "DisconnectedError";

  constructor(
    message = "the connection is lost",
    code: "client.disconnected" | "client.closed" = "client.disconnected",
    /** The close code of the websocket, if there was one. */
    readonly close: number | null = null,
  ) {
    super(code, message);
  }
}

/** This client and the server share no version of the protocol (`hello.version`). */
export class VersionError extends WarroomError {
  override readonly name: string = "VersionError";

  constructor(message: string) {
    super("hello.version", message);
  }
}

/** What was passed cannot be used or sent (`client.input`); nothing was sent. */
export class InputError extends WarroomError {
  override readonly name: string = "InputError";

  constructor(message: string) {
    super("client.input", message);
  }
}

/** The bytes are no message that this client understands (`client.unreadable`). */
export class WireError extends WarroomError {
  override readonly name: string = "WireError";

  constructor(message: string) {
    super("client.unreadable", message);
  }
}

/** Return the refusal of a request to a room that is moving to another server. */
export function moving(detail = "the match moves to another server; try again in a moment"): RejectedError {
  return new RejectedError("room.moving", detail);
}

const PASSING = new Set([
  "act.busy",
  "room.busy",
  "room.moving",
  "rules.unavailable",
  "server.draining",
  "store.unavailable",
]);

/** Whether a retry may succeed a moment later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof RejectedError && PASSING.has(error.code);
}
