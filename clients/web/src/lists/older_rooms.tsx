/** The button that loads older rooms, which are then refreshed. */

import { useEffect, useState } from "preact/hooks";

import { showError } from "../state";
import { roomList } from "./rooms";

/** Refresh interval of older rooms; the server pushes only the newest. */
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
      .catch(showError)
      .finally(() => setBusy(false));
  };
  return (
    <button type="button" class="button small" disabled={isBusy} onClick={more}>
      More rooms
    </button>
  );
}
