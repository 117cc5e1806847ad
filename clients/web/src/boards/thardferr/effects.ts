/** What buildings and technologies do, as the server says it with the schema of actions. */

import type { GameListing } from "../../generated/messages";

interface Actions {
  readonly $defs?: {
    readonly [kind: string]: {
      readonly properties: { readonly [field: string]: { readonly "x-effects"?: { readonly [name: string]: string } } };
    };
  };
}

/** Return what the choice of that name does, for a kind of action and its field; empty if nobody says. */
export function effectOf(game: GameListing | undefined, kind: string, field: string, name: string): string {
  const actions = game?.actions as Actions | undefined;
  return actions?.$defs?.[kind]?.properties[field]?.["x-effects"]?.[name] ?? "";
}
