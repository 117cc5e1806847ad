/** The players muted in this tab, in any room. */

import { signal } from "@preact/signals";

import { resilientStore } from "../client/identity";

const NAME = "warroom.muted";
const store = resilientStore(() => sessionStorage);

/** The ids of players. */
export const muted = signal<readonly string[]>(store.getItem(NAME)?.split(" ").filter(Boolean) ?? []);

/** Mute or unmute a player. */
export function mute(player: string, isMuted: boolean): void {
  muted.value = muted.value.filter((each) => each !== player).concat(isMuted ? player : []);
  store.setItem(NAME, muted.value.join(" "));
}
