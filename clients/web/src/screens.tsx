/** The screens: each loads on first use, while the connection opens. */

import type { ComponentType } from "preact";

import { LobbySkeleton } from "./lobby/skeleton";
import type { Route } from "./routes";
import { lazy, NoScreen } from "./ui/lazy";

const room = lazy(() => import("./room/screen"), NoScreen);

const SCREENS: Readonly<Record<Route["at"], ComponentType<{ readonly at: Route; readonly onIdle: () => void }>>> = {
  lobby: lazy(() => import("./lobby/lobby"), LobbySkeleton),
  room,
  replay: lazy(() => import("./replay/screen"), NoScreen),
  matches: lazy(() => import("./lists/matches"), NoScreen),
  ranking: lazy(() => import("./lists/ranking"), NoScreen),
  watch: lazy(() => import("./lists/watch"), NoScreen),
  rules: lazy(() => import("./lists/rules"), NoScreen),
  extra: lazy(() => import("./lists/extra_page"), NoScreen),
};

export function Screen({ at }: { readonly at: Route }) {
  const Shown = SCREENS[at.at];
  return <Shown at={at} onIdle={room.fetch} />;
}
