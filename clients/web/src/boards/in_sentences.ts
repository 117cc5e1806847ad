/** How boards tell that have no words of their own: apart from the others, which most matches are played on. */

import type { View } from "../generated/messages";
import type { Table } from "./board";
import { eventInWords } from "./in_words";
import { told } from "./sentences";
import { sketchOf } from "./sketches";
import { capital } from "./words";

/** Return events in the sentences that their game brings; what it has none for is told field by field. */
export function inSentences(events: readonly View[], table: Table): readonly string[] {
  const sentences = sketchOf(table.game).sentences ?? [];
  return told(sentences, events, table.name, (event) => eventInWords(event, table)).map(capital);
}
