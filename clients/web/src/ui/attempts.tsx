/** Attempts whose failure is told where they were made. */

import { useEffect, useRef, useState } from "preact/hooks";

import { inWords } from "../client/errors";
import { complain } from "../state";

export interface Attempts {
  readonly isBusy: boolean;
  /** Why the last one came to nothing. */
  readonly trouble: string;
  begin(doing: () => Promise<unknown>): void;
}

/** Whoever has gone elsewhere meanwhile is told there. */
export function useAttempts(): Attempts {
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  const isThere = useRef(true);
  useEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  const begin = (doing: () => Promise<unknown>): void => {
    setBusy(true);
    setTrouble("");
    void doing()
      .catch((error: unknown) => (isThere.current ? setTrouble(inWords(error)) : complain(error)))
      .finally(() => setBusy(false));
  };
  return { isBusy, trouble, begin };
}

export function Trouble({ children }: { readonly children: string }) {
  return (
    <div class="trouble" aria-live="assertive">
      {children && <p class="refusal">{children}</p>}
    </div>
  );
}
