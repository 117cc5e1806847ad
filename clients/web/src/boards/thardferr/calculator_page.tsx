/** The battle calculator, fetched when it is opened: a match does without it. */

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

export function Calculator() {
  const [Page, setPage] = useState<ComponentType | null>(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    import("./calculator")
      .then((module) => setPage(() => module.Calculator))
      .catch(() => setTrouble("The calculator could not be loaded."));
  }, []);
  if (trouble) return <p class="refusal">{trouble}</p>;
  return Page ? <Page /> : <div class="bone board-bone" aria-busy="true" />;
}
