/** The player of a program: a token, and a name. */

/** Where the player is kept. Programs that share a store, such as the tabs of a browser, share the player. */
export interface IdentityStore {
  /** The secret that makes the same player next time; null for a new player. */
  readonly token: string | null;
  readonly name: string;
  /** Keep the *token* of a welcome; *sent* went with the hello. False: another program was faster, use its player. */
  welcome(sent: string | null, token: string): boolean;
  /** Drop a *token* that the server does not know. */
  forget(token: string): void;
}

/** Keeps the player as long as the program runs. */
export class MemoryIdentity implements IdentityStore {
  constructor(
    readonly name = "",
    public token: string | null = null,
  ) {}

  welcome(_sent: string | null, token: string): boolean {
    this.token = token;
    return true;
  }

  forget(): void {
    this.token = null;
  }
}
