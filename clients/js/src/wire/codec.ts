/** Encodes messages as MessagePack arrays and decodes them, with tables generated from the protocol. */

import { InputError, WireError } from "../errors.js";
import {
  CLIENT_SHAPES,
  type ClientMessage,
  MAX_CLIENT_BYTES,
  MAX_DEPTH,
  MAX_VALUES,
  PART_SHAPES,
  SERVER_SHAPES,
  type ServerMessage,
} from "../generated/messages.js";
import { encode as pack, decode as unpack } from "./msgpack.js";

interface Field {
  readonly name: string;
  readonly part: string | null;
  readonly isMany: boolean;
  readonly fallback: string | null;
}

type Fields = readonly Field[];
type Shapes = Readonly<Record<string, string>>;

const TOKEN = /^(\w+)(?::(\w+)(\*)?)?(?:=(.*))?$/;

function parse(shapes: Shapes): Map<string, Fields> {
  return new Map(Object.entries(shapes).map(([name, tokens]) => [name, tokens.split(" ").map(field)]));
}

function field(token: string): Field {
  const [, name = "", part = null, many, fallback = null] = TOKEN.exec(token) ?? [];
  return { name, part, isMany: many === "*", fallback };
}

const PARTS = /* @__PURE__ */ parse(PART_SHAPES);
const FROM_SERVER = /* @__PURE__ */ parse(SERVER_SHAPES);
const FROM_CLIENT = /* @__PURE__ */ parse(CLIENT_SHAPES);

/** Return the bytes of a message to the server; throw `InputError` if a server would close the connection for it. */
export function encodeClient(message: ClientMessage): Uint8Array<ArrayBuffer> {
  const rows = rowsOf(FROM_CLIENT, message);
  if (countOf(rows, 1) > MAX_VALUES) throw new InputError(`${message.type}: more than ${MAX_VALUES} values`);
  const bytes = pack(rows);
  if (bytes.length > MAX_CLIENT_BYTES)
    throw new InputError(`${message.type}: ${bytes.length} bytes, and ${MAX_CLIENT_BYTES} are allowed`);
  return bytes;
}

/** Return the bytes of a message as the server would send it. */
export function encodeServer(message: ServerMessage): Uint8Array<ArrayBuffer> {
  return pack(rowsOf(FROM_SERVER, message));
}

/** Decode a message of the server; null if its name is unknown, because newer servers may send more. */
export function decodeServer(data: Uint8Array): ServerMessage | null {
  return decodeWith(FROM_SERVER, data) as ServerMessage | null;
}

/** Decode a message of a client; null if its name is unknown. */
export function decodeClient(data: Uint8Array): ClientMessage | null {
  return decodeWith(FROM_CLIENT, data) as ClientMessage | null;
}

/** Decode a standalone part, such as the `About` in a replay file. */
export function readPart<Part>(name: string, row: unknown): Part {
  return named(row, 0, PARTS.get(name) ?? [], {}) as Part;
}

/** Convert an unpacked message, such as the `ended` in a replay file. */
export function readServer(row: unknown): ServerMessage | null {
  return fromRow(FROM_SERVER, row) as ServerMessage | null;
}

function rowsOf(shapes: Map<string, Fields>, message: { readonly type: string }): unknown[] {
  const fields = shapes.get(message.type);
  if (!fields) throw new InputError(`there is no message ${message.type}`);
  return [message.type, ...row(message, fields)];
}

/** Return the number of values in a value, keys included; throw `InputError` for what no message can carry. */
function countOf(value: unknown, depth: number): number {
  if (value === null || typeof value === "boolean" || typeof value === "string" || Number.isSafeInteger(value))
    return 1;
  if (typeof value !== "object") throw new InputError(`${String(value)} cannot be sent: messages have integers only`);
  if (depth > MAX_DEPTH) throw new InputError(`more than ${MAX_DEPTH} containers deep`);
  const keys = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((count, each) => count + countOf(each, depth + 1), 1 + keys);
}

function row(value: object, fields: Fields): unknown[] {
  return fields.map((each) => {
    const given = (value as Record<string, unknown>)[each.name];
    if (given === undefined && each.fallback === null) throw new InputError(`the field ${each.name} is missing`);
    const held = given === undefined ? fallbackOf(each) : given;
    if (each.part === null || held === null) return held;
    const inner = PARTS.get(each.part) ?? [];
    return each.isMany ? (held as object[]).map((item) => row(item, inner)) : row(held as object, inner);
  });
}

function decodeWith(shapes: Map<string, Fields>, data: Uint8Array): object | null {
  return fromRow(shapes, unpack(data));
}

function fromRow(shapes: Map<string, Fields>, unpacked: unknown): object | null {
  if (!Array.isArray(unpacked) || typeof unpacked[0] !== "string")
    throw new WireError("a message begins with its name");
  const fields = shapes.get(unpacked[0]);
  return fields ? named(unpacked, 1, fields, { type: unpacked[0] }) : null;
}

function named(row: unknown, offset: number, fields: Fields, into: Record<string, unknown>): object {
  if (!Array.isArray(row)) throw new WireError("a part is an array");
  fields.forEach((each, index) => {
    const given: unknown = row[offset + index];
    into[each.name] = given === undefined ? fallbackOf(each) : inside(each, given);
  });
  return into;
}

function inside(each: Field, given: unknown): unknown {
  if (each.part === null || given === null) return given;
  const inner = PARTS.get(each.part) ?? [];
  return each.isMany ? (given as unknown[]).map((item) => named(item, 0, inner, {})) : named(given, 0, inner, {});
}

function fallbackOf(each: Field): unknown {
  if (each.fallback === null) throw new WireError(`the field ${each.name} is missing`);
  return JSON.parse(each.fallback);
}
