/** The dialog to change the player's name. */

import { useState } from "preact/hooks";

import { identity, session } from "../state";
import { Decide, Dialog } from "./dialog";

const LONGEST_NAME = 24;

export default function NameDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState(identity.name);
  const save = (event: Event): void => {
    event.preventDefault();
    identity.rename(name.trim());
    session.restart();
    onClose();
  };
  return (
    <Dialog title="Your name" onClose={onClose}>
      <form onSubmit={save}>
        <h2>What should others call you?</h2>
        <label class="field">
          <span class="name">Name</span>
          <input
            class="input"
            value={name}
            maxLength={LONGEST_NAME}
            autoComplete="nickname"
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <span class="help">Running matches keep your old name.</span>
        </label>
        <Decide verb="Save" onCancel={onClose} />
      </form>
    </Dialog>
  );
}
