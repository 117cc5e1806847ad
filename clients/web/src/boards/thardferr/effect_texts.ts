/** The effects of buildings and technologies, from the schema of actions. */

import type { GameListing } from "warroom-client";

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

/** Return the effect of a choice, by action kind and field; empty if unknown. */
export function effectOf(game: GameListing | undefined, kind: string, field: string, name: string): string {
  const actions = game?.actions as Actions | undefined;
  return actions?.$defs?.[kind]?.properties[field]?.$defs?.[name]?.description ?? "";
}
