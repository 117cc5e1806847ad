/** The way to the rooms that follow the last one of the list; those that it has led to are kept up to date. */

import { useEffect, useState } from "preact/hooks";

import { complain } from "../state";
import { roomList } from "./rooms";

/** How often they are asked for again once they are shown: the server keeps only the newest up to date by itself. */
const ANEW_MS = 3000;

export function OlderRooms() {
  const [isBusy, setBusy] = useState(false);
  const isShown = roomList.isBeyondLive.value;
  useEffect(() => {
    if (!isShown) return undefined;
    const timer = setInterval(() => document.hidden || void roomList.refresh().catch(() => undefined), ANEW_MS);
    return () => clearInterval(timer);
  }, [isShown]);
  if (!roomList.mayBeMore.value) return null;
  const more = (): void => {
    setBusy(true);
    void roomList
      .older()
      .catch(complain)
      .finally(() => setBusy(false));
  };
  return (
    <button type="button" class="button small" disabled={isBusy} onClick={more}>
      More rooms
    </button>
  );
}
