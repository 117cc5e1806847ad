/** How boards tell that have no words of their own: apart from the others, which most matches are played on. */

import type { View } from "../generated/messages";
import type { Table } from "./board";
import { eventText } from "./plain_text";
import { presentationOf } from "./presentation";
import { told } from "./sentences";
import { capital } from "./text_case";

/** Return events in the sentences that their game brings; what it has none for is told field by field. */
export function eventSentences(events: readonly View[], table: Table): readonly string[] {
  const sentences = presentationOf(table.game).sentences ?? [];
  return told(sentences, events, table.name, (event) => eventText(event, table)).map(capital);
}
