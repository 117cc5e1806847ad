/** Types that the parts of the board share. */

import type { Action, GameEvent, PrivateView, PublicView } from "warroom-client/games/tile_blitz";
import type { BoardProps, Moment } from "../board";

export type Props = BoardProps<PublicView, PrivateView, Action, GameEvent>;
export type Step = Moment<PublicView, PrivateView, GameEvent>;

/** The draft: the chosen tile and, for a move, the number of units. */
export interface Draft {
  readonly tile: number;
  readonly moving?: { readonly troops: number; readonly tanks: number };
}

export const TILE = 100;
