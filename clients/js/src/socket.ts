/** What the package needs of a websocket: the one of browsers and Node 22, or that of the package `ws`. */

import { InputError } from "./errors.js";

export interface Socket {
  binaryType: string;
  // biome-ignore lint/suspicious/noExplicitAny: the implementations declare events of their own
  onopen: ((event: any) => void) | null;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  onmessage: ((event: any) => void) | null;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  onclose: ((event: any) => void) | null;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  onerror: ((event: any) => void) | null;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

export type WebSocketClass = new (url: string) => Socket;
export type Dial = (url: string) => Socket;

/** Return a function that opens websockets, with *chosen* or the global class. */
export function dialler(chosen?: WebSocketClass): Dial {
  const Implementation = chosen ?? (globalThis as { WebSocket?: WebSocketClass }).WebSocket;
  if (!Implementation)
    throw new InputError("this runtime has no WebSocket (Node has one from version 22): pass that of the package ws");
  return (url) => new Implementation(url);
}

/** Return the address of a server's websocket; `http:` stands for `ws:`, and `/ws` is the usual path. */
export function socketUrl(address: string): string {
  const url = parsed(address);
  const scheme = url.protocol.replace("http", "ws");
  if (scheme !== "ws:" && scheme !== "wss:") throw new InputError(`${address} is not the address of a server`);
  return `${scheme}//${url.host}${url.pathname === "/" ? "/ws" : url.pathname}${url.search}`;
}

function parsed(address: string): URL {
  try {
    return new URL(address);
  } catch {
    throw new InputError(`${address} is not the address of a server, such as ws://127.0.0.1:8000/ws`);
  }
}
