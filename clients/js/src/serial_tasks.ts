/** Runs tasks one at a time. */

/** A task waits until all earlier tasks of the same key are over, however they ended. */
export class SerialTasks<Key> {
  private readonly latest = new Map<Key, Promise<unknown>>();

  isBusy(key: Key): boolean {
    return this.latest.has(key);
  }

  /** Run a task when its turn comes: at once if nothing is under way. */
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
