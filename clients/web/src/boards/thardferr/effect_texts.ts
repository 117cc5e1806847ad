/** What buildings and technologies do, as the server says it with the schema of actions. */

import type { GameListing } from "../../generated/messages";

interface Choices {
  readonly [name: string]: { readonly description: string };
}

interface Actions {
  readonly $defs?: {
    readonly [kind: string]: {
      readonly properties: { readonly [field: string]: { readonly $defs?: Choices } };
    };
  };
}

/** Return what the choice of that name does, for a kind of action and its field; empty if nobody says. */
export function effectOf(game: GameListing | undefined, kind: string, field: string, name: string): string {
  const actions = game?.actions as Actions | undefined;
  return actions?.$defs?.[kind]?.properties[field]?.$defs?.[name]?.description ?? "";
}
