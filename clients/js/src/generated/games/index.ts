// Written by tools/generate_types.py from the Python types; change those, then run `./dev page`.

import type * as graph_battle from "./graph_battle.js";
import type * as strata from "./strata.js";
import type * as thardferr from "./thardferr.js";
import type * as tile_blitz from "./tile_blitz.js";
import type * as timberwall from "./timberwall.js";

/** The types of the games that come with Warroom, by id. */
export interface ShippedGames {
  readonly graph_battle: { readonly public: graph_battle.PublicView; readonly private: graph_battle.PrivateView; readonly action: graph_battle.Action; readonly event: graph_battle.GameEvent; readonly options: graph_battle.Options; };
  readonly strata: { readonly public: strata.PublicView; readonly private: strata.PrivateView; readonly action: strata.Action; readonly event: strata.GameEvent; readonly options: strata.Options; };
  readonly thardferr: { readonly public: thardferr.PublicView; readonly private: thardferr.PrivateView; readonly action: thardferr.Action; readonly event: thardferr.GameEvent; readonly options: thardferr.Options; };
  readonly tile_blitz: { readonly public: tile_blitz.PublicView; readonly private: tile_blitz.PrivateView; readonly action: tile_blitz.Action; readonly event: tile_blitz.GameEvent; readonly options: tile_blitz.Options; };
  readonly timberwall: { readonly public: timberwall.PublicView; readonly private: timberwall.PrivateView; readonly action: timberwall.Action; readonly event: timberwall.GameEvent; readonly options: timberwall.Options; };
}
