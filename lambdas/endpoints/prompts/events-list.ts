import { eventsList } from '../../../contract/endpoints/prompts.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { eventsSince } from '../../store/prompts/events.ts';
import { readLiveHead } from '../../store/prompts/lookups.ts';

export const handler = readEndpoint(eventsList, async ({ table, params: { promptId }, query: { label } }) => {
  const { createdAt } = await readLiveHead(table, promptId);
  return { events: await eventsSince(table, promptId, createdAt, { label, most: LIMITS.events }) };
});
