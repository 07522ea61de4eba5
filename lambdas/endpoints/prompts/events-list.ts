import { eventsList } from '../../../contract/endpoints/prompts/events-list.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { lastEvents } from '../../store/prompts/events.ts';
import { readLiveHead } from '../../store/prompts/head.ts';
import { connectTable } from '../../store/table.ts';

const table = connectTable();

/** Returns the changes of a prompt, or of one of its labels, since it was created. */
export const handler = operatorEndpoint(eventsList, async ({ params: { promptId }, query: { label } }) => {
  const { createdAt } = await readLiveHead(table, promptId);
  return { events: await lastEvents(table, promptId, createdAt, { label, most: LIMITS.events }) };
});
