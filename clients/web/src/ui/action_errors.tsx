/** Actions whose errors show where they were started. */

import { useEffect, useRef, useState } from "preact/hooks";

import { inWords } from "../client/error_text";
import { session, showError } from "../state";

export interface ActionErrors {
  readonly isBusy: boolean;
  /** Why the last attempt failed. */
  readonly trouble: string;
  begin(doing: () => Promise<unknown>): void;
}

/** A user who went elsewhere sees the error there. An error belongs to one *version* of its subject. */
export function useActionErrors(version: unknown = null): ActionErrors {
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  const isThere = useRef(true);
  useEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  const welcome = session.welcome;
  useEffect(() => setTrouble(""), [welcome, version]); // a new connection is a new version too
  const begin = (doing: () => Promise<unknown>): void => {
    setBusy(true);
    setTrouble("");
    void doing()
      .catch((error: unknown) => (isThere.current ? setTrouble(inWords(error)) : showError(error)))
      .finally(() => setBusy(false));
  };
  return { isBusy, trouble, begin };
}

export function ErrorText({ children }: { readonly children: string }) {
  return (
    <div class="trouble" aria-live="assertive">
      {children && <p class="refusal">{children}</p>}
    </div>
  );
}
