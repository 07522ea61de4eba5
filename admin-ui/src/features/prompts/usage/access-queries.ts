import { accessesList } from '../../../../../contract/endpoints/usage.ts';
import type { QueryOf, ReplyOf } from '../../../api/client.ts';
import { listQuery, readAll } from '../../../api/queries.ts';
import { PROMPTS_KEY } from '../prompt-queries.ts';

export type Access = ReplyOf<typeof accessesList>['accesses'][number];

export type AccessFilter = QueryOf<typeof accessesList>;

export const accessesQuery = (promptId: string, filter: AccessFilter) =>
  listQuery([...PROMPTS_KEY, promptId, 'accesses', filter], accessesList, {
    params: { promptId },
    query: filter,
  });

/** All matching access entries; `onCount` as in `readAll`. */
export const readAllAccesses = (
  promptId: string,
  filter: AccessFilter,
  onCount: (count: number) => void,
  signal: AbortSignal,
): Promise<Access[]> =>
  readAll(accessesList, { params: { promptId }, query: filter, signal }, ({ accesses }) => accesses, onCount);
