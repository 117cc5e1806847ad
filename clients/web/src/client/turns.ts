/** One thing at a time. */

/** What is about the same key waits until all that was begun before is over, however that ended. */
export class Turns<Key> {
  private readonly latest = new Map<Key, Promise<unknown>>();

  isBusy(key: Key): boolean {
    return this.latest.has(key);
  }

  /** Do something in its turn: at once, where nothing is under way. */
  run<Done>(key: Key, doing: () => Promise<Done>): Promise<Done> {
    const before = this.latest.get(key);
    const done = before ? before.then(doing, doing) : doing();
    const clear = (): void => {
      if (this.latest.get(key) === done) this.latest.delete(key);
    };
    this.latest.set(key, done);
    done.then(clear, clear);
    return done;
  }
}
