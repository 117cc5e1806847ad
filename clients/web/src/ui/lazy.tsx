/** Screens that few people open: each is fetched when it is first looked at. */

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { Route } from "../routes";
import { complain } from "../state";

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
  useEffect(() => {
    let isWanted = true;
    setShown(null);
    SCREENS[at.at]?.()
      .then((module) => isWanted && setShown(() => module.default))
      .catch(complain);
    return () => {
      isWanted = false;
    };
  }, [at.at]);
  if (!Shown) return <main class="screen" aria-busy="true" />;
  return <Shown at={at} />;
}
