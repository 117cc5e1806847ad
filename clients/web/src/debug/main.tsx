/** The page of a server with `--debug`, at `/debug`: it speaks JSON, and every game has an inspector. */

import { addPage } from "../boards/extra_pages";
import { start } from "../start";
import { dialJson } from "./json_socket";

addPage({
  id: "inspect",
  name: "Inspect",
  title: "Inspector",
  opensReplays: true,
  load: () => import("./inspector").then((module) => module.default),
});
start(dialJson);
