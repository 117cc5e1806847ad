/** Typed events. */

type Listener = (value: never) => void;
type Event<Events> = readonly [name: keyof Events, value: Events[keyof Events]];

const MOST_KEPT = 256;

export class Emitter<Events> {
  private readonly listeners = new Map<keyof Events, Set<Listener>>();

  /** Add a listener; the returned function removes it. */
  on<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): () => void {
    const known = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, known.add(listener));
    return () => void known.delete(listener);
  }

  emit<Name extends keyof Events>(name: Name, value: Events[Name]): void {
    for (const listener of [...(this.listeners.get(name) ?? [])]) heard(listener, value as never);
  }
}

/** Keeps the latest events for the first listeners: those added at once get what happened before. */
export class PatientEmitter<Events> extends Emitter<Events> {
  private kept: Event<Events>[] | null = [];
  private isHeard = false;

  /** *isCurrent* tells whether an event that was kept still matters; events named *fleeting* are not kept. */
  constructor(
    private readonly isCurrent: (...event: Event<Events>) => boolean,
    private readonly fleeting: keyof Events,
  ) {
    super();
  }

  override on<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): () => void {
    if (!this.isHeard) queueMicrotask(() => this.release());
    this.isHeard = true;
    return super.on(name, listener);
  }

  override emit<Name extends keyof Events>(name: Name, value: Events[Name]): void {
    if (!this.kept) super.emit(name, value);
    else if (name !== this.fleeting) this.kept = [...this.kept, [name, value] as const].slice(-MOST_KEPT);
  }

  private release(): void {
    const kept = this.kept ?? [];
    this.kept = null;
    for (const event of kept) if (this.isCurrent(...event)) this.emit(...event);
  }
}

/** Call a listener; its error goes to the console or ends the program, and does not harm other listeners or the room. */
function heard(listener: Listener, value: never): void {
  try {
    listener(value);
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}
