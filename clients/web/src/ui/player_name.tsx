/** The player's name, and the button to change it. */

import { useState } from "preact/hooks";

import { session } from "../state";
import { lazy, NoDialog } from "./lazy";

const NameDialog = lazy(() => import("./name_dialog"), NoDialog);

export function PlayerName() {
  const [isOpen, setOpen] = useState(false);
  const name = session.welcome?.name;
  return (
    <>
      <button
        type="button"
        class="button small me"
        onClick={() => setOpen(true)}
        aria-label={`Your name: ${name ?? "…"}`}
      >
        <span>{name ?? "…"}</span>
      </button>
      {isOpen && <NameDialog onClose={() => setOpen(false)} />}
    </>
  );
}
