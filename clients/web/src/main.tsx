import "./styles/base.css";
import "./styles/parts.css";
import "./styles/rules.css";
import "./styles/screens.css";

import { render } from "preact";

import { App } from "./app";
import { keepFocus } from "./focus";
import { followAddress } from "./routes";
import { begin } from "./state";

followAddress();
begin();
keepFocus();
const page = document.getElementById("page");
if (page) render(<App />, page);
