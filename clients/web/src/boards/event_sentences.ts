/** Event texts for boards without their own; a separate module, because most matches do not need it. */

import type { View } from "warroom-client";
import type { Table } from "./board";
import { eventText } from "./plain_text";
import { presentationOf } from "./presentation";
import { told } from "./sentences";
import { capital } from "./text_case";

/** Return events as the sentences of their game; events without a sentence are listed field by field. */
export function eventSentences(events: readonly View[], table: Table): readonly string[] {
  const sentences = presentationOf(table.game).sentences ?? [];
  return told(sentences, events, table.name, (event) => eventText(event, table)).map(capital);
}
