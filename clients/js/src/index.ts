/**
 * Play, watch and write bots for Warroom servers.
 *
 *     const client = await connect("ws://127.0.0.1:8000/ws", { name: "Ada" });
 *     const room = await client.quick("strata");
 *     room.on("update", (step) => draw(step.public));
 */

export { delayBefore, newRef, retryTemporary } from "./backoff.js";
export type { Cell, Cells } from "./cells.js";
export { Client, type ConnectOptions, connect, type RoomOptions } from "./client.js";
export { left, type RoomClock, roomTime } from "./clock.js";
export type { ConnectionOptions, ConnectionState } from "./connection.js";
export {
  DisconnectedError,
  InputError,
  isTemporary,
  RejectedError,
  VersionError,
  WarroomError,
  WireError,
} from "./errors.js";
export * from "./games.js";
export type * from "./generated/messages.js";
export { PROTOCOL_VERSIONS, RELEASE } from "./generated/messages.js";
export { type IdentityStore, MemoryIdentity } from "./identity.js";
export { Mirror, type Reception } from "./mirror.js";
export type { Question, ReplyTo, Request, RoomRequest } from "./requests.js";
export { type Legal, Room, type RoomEvents, type RoomState, type Step } from "./room.js";
export { SerialTasks } from "./serial_tasks.js";
export { Session, type SessionEvents } from "./session.js";
export type { Dial, Socket, WebSocketClass } from "./socket.js";
export { type Invitation, invitation, parseInvitation, roomCode } from "./wire/codes.js";
export { isMap } from "./wire/views.js";
