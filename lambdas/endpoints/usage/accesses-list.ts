import { accessesList } from '../../../contract/endpoints/usage/accesses-list.ts';
import { daysOf } from '../../core/lists/day-ranges.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { accessOf } from '../../http/serializers/prompts.ts';
import { connectTable } from '../../store/table.ts';
import { searchAccesses } from '../../store/views/access-search.ts';

const table = connectTable();

/** Returns one page of the access history of a prompt. */
export const handler = operatorEndpoint(accessesList, async ({ params: { promptId }, query, at }) => {
  const { limit, cursor } = query;
  const { items, ...rest } = await searchAccesses(
    table,
    promptId,
    { ...daysOf(query, at, table.settings.accessDays), limit, cursor },
    query,
  );
  return { ...rest, accesses: items.map(accessOf) };
});
