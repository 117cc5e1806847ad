/** A link to give to others: to be read, selected, and copied with one click wherever the browser lets a page do that. */

import { useEffect, useRef, useState } from "preact/hooks";

interface Props {
  readonly link: string;
  /** What it leads to, for those who cannot see where it stands. */
  readonly label: string;
}

type Outcome = "" | "Copied" | "Select and copy";

export function CopyLink({ link, label }: Props) {
  const [outcome, setOutcome] = useState<Outcome>("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setOutcome(""), [link]);
  const copy = async (): Promise<void> => {
    setOutcome((await isCopied(link, input.current)) ? "Copied" : "Select and copy");
  };
  return (
    <div class="code-form">
      <input
        ref={input}
        class="input tiny"
        readOnly
        value={link}
        aria-label={label}
        onFocus={(event) => event.currentTarget.select()}
        onClick={(event) => event.currentTarget.select()}
      />
      <button type="button" class="button" onClick={() => void copy()}>
        {outcome || "Copy"}
      </button>
    </div>
  );
}

/** Only pages that came over https, or from this machine, have the clipboard; for all others there is the old way. */
async function isCopied(link: string, input: HTMLInputElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    input?.focus(); // which selects it
    return document.execCommand("copy");
  }
}
