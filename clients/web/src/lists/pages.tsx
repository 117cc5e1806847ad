/** What lists have in common that come in parts. */

import { useEffect, useState } from "preact/hooks";

import { type Page, Paged } from "../client/paged";
import { session } from "../state";

/** Fetch the first part of a list once the server has welcomed us, and others when they are asked for. */
export function usePaged<Row>(fetch: (known: readonly Row[]) => Promise<Page<Row>>): Paged<Row> {
  const [paged] = useState(() => new Paged(fetch));
  const isWelcome = session.welcome.value !== null;
  useEffect(() => {
    if (isWelcome) void paged.more();
  }, [isWelcome]);
  useEffect(() => () => paged.end(), []);
  return paged;
}

/** Below the rows: that they are coming, why they do not, or the way to more of them. */
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
