import { infiniteQueryOptions } from '@tanstack/react-query';
import { accessesList } from '../../../../../contract/endpoints/usage/accesses-list.ts';
import { call, type ReplyOf } from '../../../api/client.ts';
import { type PageQuery, pagesFrom } from '../../../api/pages.ts';
import { PROMPTS_KEY } from '../prompt-queries.ts';

export type Access = ReplyOf<typeof accessesList>['accesses'][number];

export interface AccessFilter {
  readonly key?: string;
  readonly version?: string;
  /** Days in UTC, both included. */
  readonly from?: string;
  readonly to?: string;
}

const PAGE = 100;

/** The access history of a prompt, latest first. */
export const accessesQuery = (promptId: string, filter: AccessFilter) =>
  infiniteQueryOptions({
    queryKey: [...PROMPTS_KEY, promptId, 'accesses', filter],
    queryFn: ({ pageParam, signal }) =>
      call(accessesList, {
        params: { promptId },
        query: { ...filter, limit: PAGE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
  });

/** All matching access entries, page by page; `onCount` receives the number so far. */
export const readAllAccesses = async (
  promptId: string,
  filter: AccessFilter,
  onCount: (count: number) => void,
  signal: AbortSignal,
): Promise<Access[]> => {
  const found: Access[] = [];
  const read = (page: PageQuery) =>
    call(accessesList, { params: { promptId }, query: { ...filter, ...page }, signal });
  for await (const { accesses } of pagesFrom(read)) {
    found.push(...accesses);
    onCount(found.length);
  }
  return found;
};
