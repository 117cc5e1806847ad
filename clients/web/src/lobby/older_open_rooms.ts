/** Open rooms that are too old for the main list, so that they are still found on a busy server. */

import { useEffect, useState } from "preact/hooks";

import { newRef, type RoomListing } from "warroom-client";
import { roomList } from "../lists/rooms";
import { session } from "../state";

/** Refresh interval; the server pushes only the main list. */
const ANEW_MS = 3000;

/** Return the open rooms after the last one of the list; null while that is unknown. */
export function useOlderOpen(): readonly RoomListing[] | null {
  const [found, setFound] = useState<readonly RoomListing[] | null>(null);
  const mayBe = roomList.mayBeMore.value;
  useEffect(() => {
    if (!mayBe) return undefined;
    const hear = (): void => {
      const before = roomList.rooms.peek()?.at(-1)?.room;
      if (document.hidden || before === undefined) return;
      session.ask({ type: "older", ref: newRef(), before, open: true }).then(
        (reply) => setFound(reply.rooms),
        () => undefined, // retried
      );
    };
    hear();
    const timer = setInterval(hear, ANEW_MS);
    return () => clearInterval(timer);
  }, [mayBe]);
  return mayBe ? found : [];
}
