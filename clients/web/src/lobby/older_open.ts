/** The rooms that wait for players and are too old for the list of all: however much is played, they are found. */

import { useEffect, useState } from "preact/hooks";

import { newRef } from "../client/backoff";
import type { RoomListing } from "../generated/messages";
import { roomList } from "../lists/rooms";
import { session } from "../state";

/** The server keeps only the list of all up to date by itself. */
const ANEW_MS = 3000;

/** Return those that follow the last room of the list; null while it is unknown whether there are any. */
export function useOlderOpen(): readonly RoomListing[] | null {
  const [found, setFound] = useState<readonly RoomListing[] | null>(null);
  const mayBe = roomList.mayBeMore.value;
  useEffect(() => {
    if (!mayBe) return undefined;
    const hear = (): void => {
      const before = roomList.rooms.peek()?.at(-1)?.room;
      if (document.hidden || before === undefined) return;
      session.ask({ type: "older", ref: newRef(), before, open: true }).then(
        (reply) => reply.type === "rooms" && setFound(reply.rooms),
        () => undefined, // it is asked again
      );
    };
    hear();
    const timer = setInterval(hear, ANEW_MS);
    return () => clearInterval(timer);
  }, [mayBe]);
  return mayBe ? found : [];
}
