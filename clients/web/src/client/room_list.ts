/** The public rooms, as the server lists them. */

import { computed, signal } from "@preact/signals";

import { newRef, type RoomListing, SerialTasks, type ServerMessage, type Session } from "warroom-client";
import { begun, changed, continued, FULL_LIST, type Listing } from "./live_rooms";

export class RoomList {
  private readonly listing = signal<Listing | null>(null, {
    watched: () => this.look(true),
    unwatched: () => this.look(false),
  });
  /** Newest first; null until the first list arrives. */
  readonly rooms = computed(() => this.listing.value?.rooms ?? null);
  /** Whether older rooms may follow the last one. */
  readonly mayBeMore = computed(() => this.listing.value?.mayBeMore ?? false);
  /** Whether the list has rooms beyond those the server keeps current. */
  readonly isBeyondLive = computed(() => this.length > FULL_LIST);
  private ref = 0;
  private isLookedAt = false;
  /** Pages load one after another, because each starts where the previous one ended. */
  private readonly tasks = new SerialTasks<"older">();

  constructor(private readonly session: Session) {
    session.on("connection", ({ kind }) => kind === "open" && this.isLookedAt && this.look(true));
    session.on("message", (message) => this.hear(message));
  }

  private get length(): number {
    return this.rooms.value?.length ?? 0;
  }

  /** Follow the list while a screen shows it. To stop, ask for rooms that no room matches, which replaces the live
   * query. */
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

  /** Load the rooms that are older than the last one. */
  older(): Promise<void> {
    return this.tasks.run("older", () => this.beyond(this.length - 1, 1));
  }

  /** Refresh what the server does not keep current, unless that is under way. */
  async refresh(): Promise<void> {
    if (this.tasks.isBusy("older")) return;
    await this.tasks.run("older", () => this.beyond(FULL_LIST - 1, this.length - FULL_LIST));
  }

  /** Load what follows a position, until there are *wanted* rooms, and replace the rest of the list. */
  private async beyond(place: number, wanted: number): Promise<void> {
    const last = this.rooms.value?.[place]?.room;
    if (last === undefined) return;
    const found: RoomListing[] = [];
    let mayFollow = true;
    while (mayFollow && found.length < wanted) {
      const reply = await this.session.ask({ type: "older", ref: newRef(), before: found.at(-1)?.room ?? last });
      found.push(...reply.rooms);
      mayFollow = reply.rooms.length >= FULL_LIST;
    }
    if (this.listing.value) this.listing.value = continued(this.listing.value, last, found, mayFollow);
  }
}
