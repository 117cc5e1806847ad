/** The extra pages of Thardferr. */

import type { ExtraPage } from "../board";

export default [
  {
    id: "battle",
    name: "Battles",
    title: "Thardferr: battle calculator",
    load: () => import("./calculator").then((module) => module.Calculator),
  },
] satisfies readonly ExtraPage[];
