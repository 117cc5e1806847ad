/** Starts the page. */

import "./styles/base.css";
import "./styles/parts.css";
import "./styles/rules.css";
import "./styles/screens.css";

import { render } from "preact";
import type { Dial } from "warroom-client";

import { App } from "./app";
import { keepFocus } from "./focus";
import { followAddress } from "./routes";
import { begin } from "./state";

/** Start it; *dial* opens connections, if not in the usual way. */
export function start(dial?: Dial): void {
  followAddress();
  begin(dial);
  keepFocus();
  const page = document.getElementById("page");
  if (page) render(<App />, page);
}
