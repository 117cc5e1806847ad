/** The connection to the server's inspector: opened by the first question, and again after it broke. */

import { RejectedError } from "warroom-client";
import { type Answer, type Exported, type Imported, matchText, type Setup, type Steps } from "./questions";

const PATH = "/debug/inspector";
const UNREACHABLE =
  "the inspector does not answer: it needs a server with --debug, and a browser on the same machine as the server";

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

type Reply = (Answer | { readonly type: "refused"; readonly code: string; readonly text: string }) & {
  readonly ref: number | null;
};

export class InspectorConnection {
  private socket: Promise<WebSocket> | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  /** Return the steps of a match from *first* to *last*. */
  async show(match: Setup, first: number, last: number): Promise<Steps> {
    return (await this.ask("show", `"match":${matchText(match)},"first":${first},"last":${last}`)) as Steps;
  }

  /** Return the match in the file of a replay. */
  async read(file: Uint8Array): Promise<Imported> {
    return (await this.ask("read", `"file":"${toBase64(file)}"`)) as Imported;
  }

  /** Return the file of a replay with all moves of a match. */
  async write(match: Setup): Promise<Uint8Array<ArrayBuffer>> {
    const { file } = (await this.ask("write", `"match":${matchText(match)}`)) as Exported;
    return Uint8Array.from(atob(file), (character) => character.charCodeAt(0));
  }

  private async ask(type: string, fields: string): Promise<Answer> {
    const socket = await this.open();
    this.last += 1;
    const ref = this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(ref, { resolve, reject });
      socket.send(`{"type":"${type}","ref":${ref},${fields}}`);
    });
  }

  private open(): Promise<WebSocket> {
    this.socket ??= new Promise((resolve, reject) => {
      const scheme = location.protocol === "https:" ? "wss" : "ws";
      const socket = new WebSocket(`${scheme}://${location.host}${PATH}`);
      socket.onopen = () => resolve(socket);
      socket.onmessage = (event: MessageEvent<string>) => this.hear(JSON.parse(event.data) as Reply);
      socket.onclose = (event) => {
        this.socket = null;
        const error = new Error(event.code === 1009 ? "the match is too long for the inspector" : UNREACHABLE);
        reject(error);
        this.fail(error);
      };
    });
    return this.socket;
  }

  private hear({ ref, ...answer }: Reply): void {
    const waiting = ref === null ? undefined : this.waiting.get(ref);
    if (ref === null && answer.type === "refused") this.fail(new RejectedError(answer.code, answer.text));
    if (ref === null || !waiting) return;
    this.waiting.delete(ref);
    if (answer.type === "refused") waiting.reject(new RejectedError(answer.code, answer.text));
    else waiting.resolve(answer);
  }

  private fail(error: unknown): void {
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const each of all) each.reject(error);
  }
}

/** In pieces: a call has only so many arguments. */
function toBase64(data: Uint8Array): string {
  let text = "";
  for (let at = 0; at < data.length; at += 4096) text += String.fromCharCode(...data.subarray(at, at + 4096));
  return btoa(text);
}
