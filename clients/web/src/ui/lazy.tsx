/** Screens that few people open: each is fetched when it is first looked at. */

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { Route } from "../routes";

type Screen = ComponentType<{ readonly at: Route }>;

const SCREENS: Partial<Record<Route["at"], () => Promise<{ readonly default: Screen }>>> = {
  replay: () => import("../replay/screen"),
  matches: () => import("../lists/matches"),
  ranking: () => import("../lists/ranking"),
  watch: () => import("../lists/watch"),
  rules: () => import("../lists/rules"),
  extra: () => import("../lists/extra"),
};

export function Suspense({ at }: { readonly at: Route }) {
  const [Shown, setShown] = useState<Screen | null>(null);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let isWanted = true;
    setShown(null);
    setMissing(false);
    SCREENS[at.at]?.()
      .then((module) => isWanted && setShown(() => module.default))
      .catch(() => isWanted && setMissing(true));
    return () => {
      isWanted = false;
    };
  }, [at.at]);
  if (isMissing) return <Missing />;
  if (!Shown) return <main class="screen" aria-busy="true" />;
  return <Shown at={at} />;
}

/** The line is broken, or the server has a newer page, which has other files. */
function Missing() {
  return (
    <main class="screen stack">
      <h1>This part of the page could not be fetched</h1>
      <p>The line may be broken, or the server has been brought up to date since the page was loaded.</p>
      <p>
        <button type="button" class="button main" onClick={() => location.reload()}>
          Load again
        </button>
      </p>
    </main>
  );
}
