/** The rooms that anybody may look for, as the server tells of them. */

import { computed, signal } from "@preact/signals";

import type { RoomListing, ServerMessage } from "../generated/messages";
import { newRef } from "./backoff";
import { begun, changed, continued, FULL_LIST, type Listing } from "./listing";
import type { Session } from "./session";
import { Turns } from "./turns";

export class RoomList {
  private readonly listing = signal<Listing | null>(null, {
    watched: () => this.look(true),
    unwatched: () => this.look(false),
  });
  /** The newest first; null until the first list has come. */
  readonly rooms = computed(() => this.listing.value?.rooms ?? null);
  /** Whether older ones may follow the last of them. */
  readonly mayBeMore = computed(() => this.listing.value?.mayBeMore ?? false);
  /** Whether there are some that the server does not keep up to date by itself. */
  readonly isBeyondLive = computed(() => this.length > FULL_LIST);
  private ref = 0;
  private isLookedAt = false;
  /** Parts of the list are asked for one after another: each begins with what the one before has found. */
  private readonly turns = new Turns<"older">();

  constructor(private readonly session: Session) {
    session.returns.add(() => this.isLookedAt && this.look(true));
    session.listeners.add((message) => this.hear(message));
  }

  private get length(): number {
    return this.rooms.value?.length ?? 0;
  }

  /** Follow the list while something shows it; a question that no room answers ends what was live before. */
  private look(live: boolean): void {
    this.isLookedAt = live;
    this.ref = newRef();
    this.session.ask({ type: "rooms", ref: this.ref, game: live ? null : "", live }).catch(() => undefined);
  }

  private hear(message: ServerMessage): void {
    const known = this.listing.value;
    if (!this.isLookedAt) return;
    if (message.type === "rooms" && message.ref === this.ref) this.listing.value = begun(message.rooms, known);
    if (message.type === "listed" && known) this.listing.value = changed(known, message);
  }

  /** Let the rooms follow that are older than the last one of the list. */
  older(): Promise<void> {
    return this.turns.run("older", () => this.beyond(this.length - 1, 1));
  }

  /** Bring up to date what the server does not, unless it is being asked already. */
  async refresh(): Promise<void> {
    if (this.turns.isBusy("older")) return;
    await this.turns.run("older", () => this.beyond(FULL_LIST - 1, this.length - FULL_LIST));
  }

  /** Ask for what follows a place of the list, until there are as many as *wanted*, and put that in its place. */
  private async beyond(place: number, wanted: number): Promise<void> {
    const last = this.rooms.value?.[place]?.room;
    if (last === undefined) return;
    const found: RoomListing[] = [];
    let mayFollow = true;
    while (mayFollow && found.length < wanted) {
      const reply = await this.session.ask({ type: "older", ref: newRef(), before: found.at(-1)?.room ?? last });
      if (reply.type !== "rooms") return;
      found.push(...reply.rooms);
      mayFollow = reply.rooms.length >= FULL_LIST;
    }
    if (this.listing.value) this.listing.value = continued(this.listing.value, last, found, mayFollow);
  }
}
