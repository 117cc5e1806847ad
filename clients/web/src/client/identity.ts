/** The player of this browser: token and name. All tabs share both. */

import type { IdentityStore } from "warroom-client";

const TOKEN = "warroom.token";
const NAME = "warroom.name";

/** The browser's storage; tests use their own. */
export type KeyValueStore = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** What this browser stores for all tabs. */
export const browserStore = resilientStore(() => localStorage);

export class Identity implements IdentityStore {
  constructor(private readonly store: KeyValueStore = browserStore) {}

  get token(): string | null {
    return this.store.getItem(TOKEN);
  }

  get name(): string {
    return this.store.getItem(NAME) ?? "";
  }

  /** Store the server's answer; return false if another tab was faster, whose player then counts. */
  welcome(sent: string | null, token: string): boolean {
    const kept = this.token;
    if (sent === null && kept !== null && kept !== token) return false;
    this.store.setItem(TOKEN, token);
    return true;
  }

  rename(name: string): void {
    this.store.setItem(NAME, name);
  }

  /** The server no longer knows the token: start as a new player. */
  forget(token: string): void {
    if (this.token === token) this.store.removeItem(TOKEN);
  }
}

/** A browser may forbid storage, or be full: values it rejects live as long as the page. */
export function resilientStore(store: () => KeyValueStore): KeyValueStore {
  const kept = memoryStore();
  const tried = <Result>(ask: (store: KeyValueStore) => Result): Result | null => {
    try {
      return ask(store());
    } catch {
      return null;
    }
  };
  return {
    getItem: (key) => kept.getItem(key) ?? tried((store) => store.getItem(key)),
    setItem: (key, value) => {
      kept.setItem(key, value);
      tried((store) => {
        store.setItem(key, value);
        kept.removeItem(key);
      });
    },
    removeItem: (key) => {
      kept.removeItem(key);
      tried((store) => store.removeItem(key));
    },
  };
}

export function memoryStore(): KeyValueStore {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}
