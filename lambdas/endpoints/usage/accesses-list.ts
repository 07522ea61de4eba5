import { accessesList } from '../../../contract/endpoints/usage.ts';
import { daysOf } from '../../core/lists/day-ranges.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { accessOf } from '../../http/serializers/prompts.ts';
import { searchAccesses } from '../../store/views/access-search.ts';

export const handler = readEndpoint(accessesList, async ({ table, params: { promptId }, query, at }) => {
  const { limit, cursor } = query;
  const { items, ...rest } = await searchAccesses(
    table,
    promptId,
    { ...daysOf(query, at, table.settings.accessDays), limit, cursor },
    query,
  );
  return { ...rest, accesses: items.map(accessOf) };
});
