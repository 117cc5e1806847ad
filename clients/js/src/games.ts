/** The types of games: views, events, actions and options. */

import type { ShippedGames } from "./generated/games/index.js";
import type { View } from "./generated/messages.js";

/** The types of one game. */
export interface GameTypes {
  readonly public: unknown;
  readonly private: unknown;
  readonly action: unknown;
  readonly event: unknown;
  readonly options: object;
}

/** A game whose types are not known. */
export interface AnyGame {
  readonly public: View;
  readonly private: View;
  readonly action: View;
  readonly event: View;
  readonly options: { readonly [key: string]: View };
}

/** The types of games by id; a module of yours may add others (`declare module "warroom-client"`). */
export interface Games extends ShippedGames {}

/** The types of the game with an id. */
export type TypesOf<Id extends string> = Id extends keyof Games ? Games[Id] : AnyGame;
