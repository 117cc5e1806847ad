/** The players muted in this tab, in any room. */

import { signal } from "@preact/signals";

import { steadyKeep } from "../client/identity";

const NAME = "warroom.muted";
const keep = steadyKeep(() => sessionStorage);

/** The ids of players. */
export const muted = signal<readonly string[]>(keep.getItem(NAME)?.split(" ").filter(Boolean) ?? []);

/** Mute or unmute a player. */
export function mute(player: string, isMuted: boolean): void {
  muted.value = muted.value.filter((each) => each !== player).concat(isMuted ? player : []);
  keep.setItem(NAME, muted.value.join(" "));
}
