/** The rules panel, fetched when somebody first asks how the game is played. */

import { lazy, NoPart } from "../ui/lazy";

export const RulesPanel = lazy(() => import("./rules"), NoPart);
