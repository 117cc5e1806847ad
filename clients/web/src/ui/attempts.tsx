/** Attempts whose failure is told where they were made. */

import { useEffect, useRef, useState } from "preact/hooks";

import { inWords } from "../client/errors";
import { complain, session } from "../state";

export interface Attempts {
  readonly isBusy: boolean;
  /** Why the last one came to nothing. */
  readonly trouble: string;
  begin(doing: () => Promise<unknown>): void;
}

/** Whoever has gone elsewhere meanwhile is told there. A reason holds for one *version* of what it is about. */
export function useAttempts(version: unknown = null): Attempts {
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  const isThere = useRef(true);
  useEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  const welcome = session.welcome.value;
  useEffect(() => setTrouble(""), [welcome, version]); // a new line is a new version, too
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
