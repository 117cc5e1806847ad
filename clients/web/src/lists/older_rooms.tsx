/** The way to the rooms that follow the last one of the list. */

import { useState } from "preact/hooks";

import { complain, listOlder, mayBeMore } from "../state";

export function OlderRooms() {
  const [isBusy, setBusy] = useState(false);
  if (!mayBeMore.value) return null;
  const more = (): void => {
    setBusy(true);
    void listOlder()
      .catch(complain)
      .finally(() => setBusy(false));
  };
  return (
    <button type="button" class="button small" disabled={isBusy} onClick={more}>
      More rooms
    </button>
  );
}
