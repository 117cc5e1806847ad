/** The rules panel, loaded on first use. */

import { lazy, NoPart } from "../ui/lazy";

export const RulesPanel = lazy(() => import("./rules"), NoPart);
