/** Shared parts of paged lists. */

import { useEffect, useState } from "preact/hooks";

import { type Page, Paged } from "../client/paged_list";
import { session } from "../state";

/** Load the first page of a list after the welcome, and further pages on request.
 *
 * A new *version* reloads the list; the old rows stay until the new ones arrive. */
export function usePaged<Row>(fetch: (known: readonly Row[]) => Promise<Page<Row>>, version = 0): Paged<Row> {
  const [first] = useState(() => new Paged(fetch));
  const [paged, setPaged] = useState(first);
  const isWelcome = session.welcome !== null;
  useEffect(() => {
    if (!isWelcome) return undefined;
    const next = version ? new Paged(fetch) : first;
    void next.more().then(() => next.pages.value.rows && setPaged(next));
    return () => next.end();
  }, [isWelcome, version]);
  return paged;
}

/** Below the rows: loading, an error, or the button for more. */
export function More<Row>({ paged, isWhole = true }: { readonly paged: Paged<Row>; readonly isWhole?: boolean }) {
  const { rows, isMore, isBusy, trouble } = paged.pages.value;
  const isStuck = trouble !== "" && !isBusy;
  return (
    <>
      {!rows && !trouble && <div class="bone list-bone" />}
      {trouble && (
        <p class="empty tiny" role="alert">
          {trouble}
        </p>
      )}
      {(isStuck || (rows && isMore && isWhole)) && (
        <button type="button" class="button" onClick={() => void paged.more()}>
          {isStuck ? "Try again" : "More"}
        </button>
      )}
    </>
  );
}
