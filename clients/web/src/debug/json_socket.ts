/** A websocket that speaks the JSON twin of the protocol, for the session: readable in the tools of the browser. */

import type { ServerMessage, Socket } from "warroom-client";
import { decodeClient, encode, encodeServer } from "warroom-client/wire";

/** Open a connection that speaks JSON. */
export function dialJson(url: string): Socket {
  return new JsonSocket(new WebSocket(`${url}?format=json`));
}

/** What it needs of a websocket. */
export type TextSocket = Pick<WebSocket, "onopen" | "onmessage" | "onclose" | "onerror"> & {
  send(text: string): void;
  close(): void;
};

export class JsonSocket implements Socket {
  binaryType = "arraybuffer";
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  onerror: Socket["onerror"] = null;

  constructor(private readonly inner: TextSocket) {
    inner.onopen = (event) => this.onopen?.(event);
    inner.onclose = (event) => this.onclose?.(event);
    inner.onerror = (event) => this.onerror?.(event);
    inner.onmessage = (event: MessageEvent<string>) => {
      this.onmessage?.(new MessageEvent("message", { data: fromTwin(event.data).slice().buffer }));
    };
  }

  send(data: Uint8Array): void {
    this.inner.send(toTwin(data));
  }

  close(): void {
    this.inner.close();
  }
}

/** Return the JSON twin of a client's message. */
export function toTwin(message: Uint8Array): string {
  return JSON.stringify(decodeClient(message));
}

/** Return the server's message that a twin stands for, or what the session cannot read if it does not fit its shape. */
export function fromTwin(text: string): Uint8Array<ArrayBuffer> {
  let type: unknown;
  try {
    const twin = JSON.parse(text) as ServerMessage;
    type = twin.type;
    return encodeServer(twin.type === "replay" ? { ...twin, data: bytesOf(String(twin.data)) } : twin);
  } catch {
    return encode([type ?? null]); // the name alone: enough to pass over a message that only newer pages know
  }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}
