import {
  focusManager,
  infiniteQueryOptions,
  keepPreviousData,
  QueryClient,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { metricsGet } from '../../../contract/endpoints/service.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { isTransient } from './api-error.ts';
import { type CallInput, call, type ReplyOf } from './client.ts';

const RETRIES = 2;

/** Tries a transient failure again twice, after a second and after two more. */
export const whenTransient = (failures: number, error: unknown): boolean =>
  failures < RETRIES && isTransient(error);

// Two windows side by side are both visible, so only the focus shows a switch between them.
focusManager.setEventListener((onFocus) => {
  const listener = () => onFocus();
  addEventListener('visibilitychange', listener);
  addEventListener('focus', listener);
  return () => {
    removeEventListener('visibilitychange', listener);
    removeEventListener('focus', listener);
  };
});

/** The query cache. Offline detection is off, because the service can run on this machine. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      retry: whenTransient,
      networkMode: 'always',
      refetchOnReconnect: true,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** How many rows a list shows at first, and how many more at a time. */
const PAGE = 100;

export const replyQuery = <E extends Endpoint>(queryKey: QueryKey, endpoint: E, input?: CallInput<E>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => call(endpoint, { ...input, signal }) });

/** What CloudWatch counted of refused calls and of the webhook. It has a call about a minute later, and each read costs. */
export const metricsQuery = { ...replyQuery(['metrics'], metricsGet), staleTime: 60_000 };

/** Reads the first page, or the one of a cursor. */
const readPage = <E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> | undefined,
  limit: number,
  cursor: string | undefined,
) => call(endpoint, { ...input, query: { ...input?.query, limit, cursor } } as CallInput<E>);

const cursorOf = (page: unknown): string | undefined => (page as { cursor?: string }).cursor;

/** A list that a screen shows page by page. While another list takes its place, the last one stays. */
export const listQuery = <E extends Endpoint>(
  queryKey: QueryKey,
  endpoint: E,
  input?: CallInput<E>,
  page = PAGE,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(endpoint, { ...input, signal }, page, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: cursorOf,
    placeholderData: keepPreviousData,
  });

/** Yields the pages of a list, read one after another on demand. Errors: those of `call`. */
export async function* pagesFrom<E extends Endpoint>(
  endpoint: E,
  input?: CallInput<E>,
): AsyncGenerator<ReplyOf<E>, void, void> {
  let cursor: string | undefined;
  do {
    const page = await readPage(endpoint, input, LIMITS.pageMost, cursor);
    yield page;
    cursor = cursorOf(page);
  } while (cursor !== undefined);
}

/** The rows of all pages of a list; `onCount` receives their number so far. Errors: those of `call`. */
export const readAll = async <E extends Endpoint, Row>(
  endpoint: E,
  input: CallInput<E>,
  rowsOf: (page: ReplyOf<E>) => readonly Row[],
  onCount?: (count: number) => void,
): Promise<Row[]> => {
  const rows: Row[] = [];
  for await (const page of pagesFrom(endpoint, input)) {
    rows.push(...rowsOf(page));
    onCount?.(rows.length);
  }
  return rows;
};

const MOST_WAIT_MS = 2_000;

/**
 * Returns a function that makes a change, and reads everything under the key again: before it returns, if that
 * takes less than two seconds, so that the screen shows the change; also after an error, which outdated data may have caused.
 */
export const reloaderOf =
  (queryKey: QueryKey) =>
  async <Reply>(reply: Promise<Reply>): Promise<Reply> => {
    const readAgain = () => {
      // It shows something of everything.
      void queryClient.invalidateQueries({ queryKey: ['overview'] });
      const again = [['session'], queryKey].map((key) => queryClient.invalidateQueries({ queryKey: key }));
      return Promise.all(again);
    };
    const done = await reply.catch((error: unknown) => {
      void readAgain();
      throw error;
    });
    // A dialog does not stay open because a list cannot be read again.
    await Promise.race([readAgain(), new Promise((resolve) => setTimeout(resolve, MOST_WAIT_MS))]);
    return done;
  };
