/** A websocket that speaks the JSON twin of the protocol, for the session: readable in the tools of the browser. */

import type { ServerMessage, Socket } from "warroom-client";
import { decodeClient, encodeServer } from "warroom-client/wire";

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
      const data = fromTwin(event.data);
      if (data) this.onmessage?.(new MessageEvent("message", { data: data.slice().buffer }));
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

/** Return the server's message that a twin stands for; null if this page does not know it. */
export function fromTwin(text: string): Uint8Array<ArrayBuffer> | null {
  const twin = JSON.parse(text) as ServerMessage;
  try {
    return encodeServer(twin.type === "replay" ? { ...twin, data: bytesOf(String(twin.data)) } : twin);
  } catch {
    return null; // a newer server may send more
  }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}
