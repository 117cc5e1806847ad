/** A link to share, with a copy button where the browser allows it. */

import { useEffect, useRef, useState } from "preact/hooks";

interface Props {
  readonly link: string;
  /** The target of the link, for screen readers. */
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

/** The clipboard needs https or localhost; other pages use the old command. */
async function isCopied(link: string, input: HTMLInputElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    input?.focus(); // selects it
    return document.execCommand("copy");
  }
}
