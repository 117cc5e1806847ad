/** A page that a game adds besides its matches, such as a calculator. */

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

import { pagesOf } from "../boards/extra_pages";
import { type Route, useSubject } from "../routes";
import { Missing } from "../ui/lazy";
import { DeadEnd } from "../ui/placeholders";

export default function Extra({ at }: { readonly at: Route }) {
  const [Page, setPage] = useState<ComponentType | null>(null);
  const [isMissing, setMissing] = useState(false);
  const page = at.at === "extra" ? pagesOf(at.game).find((each) => each.id === at.page) : undefined;
  useSubject(page?.title ?? null);
  useEffect(() => {
    page
      ?.load()
      .then((found) => setPage(() => found))
      .catch(() => setMissing(true));
  }, [page]);
  if (!page) return <DeadEnd title="Page not found" />;
  return (
    <main class="screen stack">
      <h1>{page.title}</h1>
      {isMissing && <Missing />}
      {Page ? <Page /> : !isMissing && <div class="bone board-bone" aria-busy="true" />}
    </main>
  );
}
