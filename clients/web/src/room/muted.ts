/** Whom this tab hears no more, in whichever room. */

import { signal } from "@preact/signals";

import { steadyKeep } from "../client/identity";

const NAME = "warroom.muted";
const keep = steadyKeep(() => sessionStorage);

/** The ids of players. */
export const muted = signal<readonly string[]>(keep.getItem(NAME)?.split(" ").filter(Boolean) ?? []);

/** Hear a player no more, or again. */
export function mute(player: string, isMuted: boolean): void {
  muted.value = muted.value.filter((each) => each !== player).concat(isMuted ? player : []);
  keep.setItem(NAME, muted.value.join(" "));
}
