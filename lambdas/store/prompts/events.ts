import { randomBase62 } from '../../core/identifiers.ts';
import type { Change } from '../audit.ts';
import { inRange, queryItems, unsignedKind } from '../queries.ts';
import type { Table } from '../table.ts';
import type { Write } from '../transactions.ts';
import { promptPartition } from './head.ts';

export type PromptEvent =
  | { readonly type: 'prompt-created'; readonly version: string }
  | { readonly type: 'prompt-deleted' | 'prompt-restored' }
  | { readonly type: 'published' | 'version-deleted'; readonly version: string }
  | { readonly type: 'label-set'; readonly label: string; readonly from: string | null; readonly to: string }
  | { readonly type: 'label-removed'; readonly label: string; readonly from: string };

/** An event with its time (ISO 8601, UTC) and the operator who caused it. */
export type RecordedEvent = PromptEvent & { readonly at: string; readonly actor: string };

/** The beginning of the sort keys of events; their time follows. */
export const EVENT = 'EVENT#';

/** Adds an event, as part of the change's transaction. */
export const addEvent = (promptId: string, { at, actor }: Change, event: PromptEvent): Write => ({
  put: {
    Item: {
      pk: promptPartition(promptId),
      sk: `${EVENT}${at.toISOString()}#${randomBase62(8)}`,
      at: at.toISOString(),
      actor: actor.name,
      ...event,
    },
  },
});

const { fromItem } = unsignedKind<RecordedEvent>();

/** The events of a prompt, or of one of its labels, since a time or a day (ISO 8601), newest first, at most `most`. */
export const eventsSince = async (
  table: Table,
  promptId: string,
  since: string,
  { label, most }: { readonly label?: string | undefined; readonly most?: number } = {},
): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  const range = inRange(promptPartition(promptId), EVENT + since, `${EVENT}~`);
  const query = { ...range, ScanIndexForward: false };
  for await (const item of queryItems(table, query)) {
    if (label === undefined || item.label === label) events.push(fromItem(item));
    if (events.length === most) break;
  }
  return events;
};
