/** A websocket that speaks the JSON twin of the protocol, for the session: readable in the tools of the browser. */

import type { Socket } from "../client/session";
import type { ServerMessage } from "../generated/messages";
import { decodeClient, encodeServer } from "../wire/codec";

/** Open a connection that speaks JSON. */
export function dialJson(url: string): Socket {
  return new JsonSocket(new WebSocket(`${url}?format=json`));
}

export class JsonSocket implements Socket {
  binaryType: BinaryType = "arraybuffer";
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;

  constructor(private readonly inner: Socket) {
    // The session only reads what the events hold.
    const self = this as unknown as WebSocket;
    inner.onopen = (event) => this.onopen?.call(self, event);
    inner.onclose = (event) => this.onclose?.call(self, event);
    inner.onmessage = (event: MessageEvent<string>) => {
      const data = fromTwin(event.data);
      if (data) this.onmessage?.call(self, new MessageEvent("message", { data: data.slice().buffer }));
    };
  }

  /** The session sends bytes alone. */
  send(data: Parameters<Socket["send"]>[0]): void {
    this.inner.send(toTwin(data as Uint8Array));
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

/** Here and not from the module of checksums, which every page would then load as a file of its own. */
function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}
