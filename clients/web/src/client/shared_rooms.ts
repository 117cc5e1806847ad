/** Keeps rooms entered for as long as something shows them. */

import { type Room, retryTemporary, type Session } from "warroom-client";

/** The progress of a visit. */
export interface Visit {
  readonly room: Room | null;
  readonly error: unknown;
  /** Whether the server could not let us in yet and is asked again. */
  readonly isHeldUp: boolean;
}

export type Enter = (as: "join" | "watch") => Promise<Room>;
/** How a room is entered: as a spectator, as a player, or one after the other. */
export type Way = (enter: Enter) => Promise<Room>;

export const NOWHERE: Visit = { room: null, error: null, isHeldUp: false };

/** Several parts may visit one room, even while it is being entered; a spectator leaves with the last one. */
export class SharedRooms {
  private readonly present = new Set<{ readonly number: number }>();

  constructor(private readonly session: Session) {}

  /** Enter a room by *way* and report progress to *tell*; return a function that ends the visit. */
  begin(number: number, key: string | null, way: Way, tell: (visit: Visit) => void): () => void {
    const visit = { number };
    this.present.add(visit);
    const isWanted = (): boolean => this.present.has(visit);
    const enter: Enter = (as) =>
      retryTemporary(
        () => this.session.tryToEnter(number, key, as),
        isWanted,
        () => tell({ ...NOWHERE, isHeldUp: true }),
      );
    way(enter).then(
      (room) => isWanted() && tell({ ...NOWHERE, room }),
      (error: unknown) => isWanted() && tell({ ...NOWHERE, error }),
    );
    return () => {
      this.present.delete(visit);
      for (const each of this.session.rooms.keys()) this.session.leave(each, (room) => this.isDone(room));
    };
  }

  /** Whether nothing shows the room and nothing is left to play there, perhaps because the match ended meanwhile. */
  private isDone({ number, state: room }: Room): boolean {
    const isVisited = [...this.present].some((visit) => visit.number === number);
    return !isVisited && (room.seat === null || room.phase === "ended");
  }
}
