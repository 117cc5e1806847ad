/** The code and the link by which others find the room. */

import { useState } from "preact/hooks";

import type { Room } from "../client/room";
import { href } from "../routes";

export function Share({ room }: { readonly room: Room }) {
  const [isCopied, setCopied] = useState(false);
  const link = `${location.origin}/${href({ at: "room", code: room.invitation })}`;
  const copy = (): void => {
    // Only pages that came over https, or from this machine, may use the clipboard.
    navigator.clipboard
      ?.writeText(link)
      .then(() => setCopied(true))
      .catch(() => setCopied(false));
  };
  return (
    <section class="sheet pad stack tight" aria-label="Invite others">
      <h2>Invite others</h2>
      <p>
        Code <code class="big-code">{room.invitation}</code>
      </p>
      <div class="code-form">
        <input
          class="input tiny"
          readOnly
          value={link}
          aria-label="Link to this room"
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" class="button" onClick={copy}>
          {isCopied ? "Copied" : "Copy"}
        </button>
      </div>
    </section>
  );
}
