import { accessesList } from '../../../../../contract/endpoints/usage/accesses-list.ts';
import { call, type ReplyOf } from '../../../api/client.ts';
import { listQuery, type PageQuery, readAll } from '../../../api/queries.ts';
import { PROMPTS_KEY } from '../prompt-queries.ts';

export type Access = ReplyOf<typeof accessesList>['accesses'][number];

export interface AccessFilter {
  readonly key?: string;
  readonly version?: string;
  /** Days in UTC, both included. */
  readonly from?: string;
  readonly to?: string;
}

/** The access history of a prompt, latest first. */
export const accessesQuery = (promptId: string, filter: AccessFilter) =>
  listQuery([...PROMPTS_KEY, promptId, 'accesses', filter], (page, signal) =>
    call(accessesList, {
      params: { promptId },
      query: { ...filter, ...page },
      signal,
    }),
  );

/** All matching access entries; `onCount` as in `readAll`. */
export const readAllAccesses = (
  promptId: string,
  filter: AccessFilter,
  onCount: (count: number) => void,
  signal: AbortSignal,
): Promise<Access[]> => {
  const read = (page: PageQuery) =>
    call(accessesList, { params: { promptId }, query: { ...filter, ...page }, signal });
  return readAll(read, ({ accesses }) => accesses, onCount);
};
