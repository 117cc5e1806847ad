/** The player of this browser: token and name. All tabs share both. */

const TOKEN = "warroom.token";
const NAME = "warroom.name";

/** The browser's storage; tests use their own. */
export type Keep = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** What this browser stores for all tabs. */
export const ownKeep = steadyKeep(() => localStorage);

export class Identity {
  constructor(private readonly keep: Keep = ownKeep) {}

  get token(): string | null {
    return this.keep.getItem(TOKEN);
  }

  get name(): string {
    return this.keep.getItem(NAME) ?? "";
  }

  /** Store the server's answer; return false if another tab was faster, whose player then counts. */
  welcome(sent: string | null, token: string): boolean {
    const kept = this.token;
    if (sent === null && kept !== null && kept !== token) return false;
    this.keep.setItem(TOKEN, token);
    return true;
  }

  rename(name: string): void {
    this.keep.setItem(NAME, name);
  }

  /** The server no longer knows the token: start as a new player. */
  forget(token: string): void {
    if (this.token === token) this.keep.removeItem(TOKEN);
  }
}

/** A browser may forbid storage, or be full: values it rejects live as long as the page. */
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
