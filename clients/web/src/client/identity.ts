/** Who plays in this browser: the token that the server knows the player by, and the name. All tabs share both. */

const TOKEN = "warroom.token";
const NAME = "warroom.name";

/** Where a browser keeps things; the tests have one of their own. */
export type Keep = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** What this browser keeps for all tabs. */
export const ownKeep = steadyKeep(() => localStorage);

export class Identity {
  constructor(private readonly keep: Keep = ownKeep) {}

  get token(): string | null {
    return this.keep.getItem(TOKEN);
  }

  get name(): string {
    return this.keep.getItem(NAME) ?? "";
  }

  /** Keep what the server answered; return false if another tab was faster and its player counts. */
  welcome(sent: string | null, token: string): boolean {
    const kept = this.token;
    if (sent === null && kept !== null && kept !== token) return false;
    this.keep.setItem(TOKEN, token);
    return true;
  }

  rename(name: string): void {
    this.keep.setItem(NAME, name);
  }

  /** The server does not know the token any more: begin as somebody new. */
  forget(token: string): void {
    if (this.token === token) this.keep.removeItem(TOKEN);
  }
}

/** A browser may forbid to keep anything, or have no room left: what it does not take is kept for as long as the page is. */
export function steadyKeep(store: () => Keep): Keep {
  const kept = memoryKeep();
  const tried = <Result>(ask: (keep: Keep) => Result): Result | null => {
    try {
      return ask(store());
    } catch {
      return null;
    }
  };
  return {
    getItem: (key) => kept.getItem(key) ?? tried((keep) => keep.getItem(key)),
    setItem: (key, value) => {
      kept.setItem(key, value);
      tried((keep) => {
        keep.setItem(key, value);
        kept.removeItem(key);
      });
    },
    removeItem: (key) => {
      kept.removeItem(key);
      tried((keep) => keep.removeItem(key));
    },
  };
}

export function memoryKeep(): Keep {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}
