/** Encodes messages as MessagePack arrays and decodes them, with tables generated from the protocol. */

import { encode as pack, decode as unpack } from "@msgpack/msgpack";

import {
  CLIENT_SHAPES,
  type ClientMessage,
  PART_SHAPES,
  SERVER_SHAPES,
  type ServerMessage,
} from "../generated/messages";

export class WireError extends Error {}

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

const PARTS = parse(PART_SHAPES);
const FROM_SERVER = parse(SERVER_SHAPES);
const FROM_CLIENT = parse(CLIENT_SHAPES);

/** Return the bytes of a message to the server. */
export function encodeClient(message: ClientMessage): Uint8Array<ArrayBuffer> {
  return encodeWith(FROM_CLIENT, message);
}

/** Return the bytes of a message as the server would send it. */
export function encodeServer(message: ServerMessage): Uint8Array<ArrayBuffer> {
  return encodeWith(FROM_SERVER, message);
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

function encodeWith(shapes: Map<string, Fields>, message: { readonly type: string }): Uint8Array<ArrayBuffer> {
  const fields = shapes.get(message.type);
  if (!fields) throw new WireError(`there is no message ${message.type}`);
  const bytes = pack([message.type, ...row(message, fields)]);
  return bytes as Uint8Array<ArrayBuffer>;
}

function row(value: object, fields: Fields): unknown[] {
  return fields.map((each) => {
    const given = (value as Record<string, unknown>)[each.name];
    const held = given === undefined ? fallbackOf(each) : given;
    if (each.part === null || held === null) return held;
    const inner = PARTS.get(each.part) ?? [];
    return each.isMany ? (held as object[]).map((item) => row(item, inner)) : row(held as object, inner);
  });
}

function decodeWith(shapes: Map<string, Fields>, data: Uint8Array): object | null {
  let unpacked: unknown;
  try {
    unpacked = unpack(data);
  } catch (error) {
    throw new WireError(`the bytes are no MessagePack: ${String(error)}`);
  }
  return fromRow(shapes, unpacked);
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
