import { Button, Center, Stack, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { isDenied, messageOf } from '../../api/api-error.ts';
import { Refreshing } from '../layout/refreshing.tsx';
import { ErrorState, Loading } from '../states.tsx';

/** The query of a list that is read page by page. */
export type PagedList<Page = unknown> = UseInfiniteQueryResult<InfiniteData<Page, unknown>>;

/** The rows of a list; none after the service has answered that it is forbidden. */
export const pagesOf = <Page,>(list: PagedList<Page>): readonly Page[] =>
  isDenied(list.error) ? [] : (list.data?.pages ?? []);

/** Reads the next page of a list; undefined if there is none, or while one is being read. */
export const nextPage = ({
  hasNextPage,
  isFetching,
  isError,
  fetchNextPage,
}: PagedList): (() => void) | undefined =>
  hasNextPage && !isFetching && !isError ? () => void fetchNextPage() : undefined;

export interface Column<Row> {
  /** Different from the others' titles. */
  readonly title: string;
  /** Shown instead of the title. */
  readonly head?: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Any CSS width. */
  readonly width?: string;
  /** Any CSS width; kept regardless of the other columns. */
  readonly minWidth?: string;
  readonly align?: 'right';
  /** The column is hidden on screens narrower than this, or always. */
  readonly visibleFrom?: 'xs' | 'sm' | 'md' | 'lg' | 'never';
  /** Whether it is shown in the first column where it is hidden, with these words before it. */
  readonly below?: true | string;
  /** What the service sorts by. */
  readonly sortBy?: string;
  /** Initial sort order. @default 'asc' */
  readonly firstOrder?: 'asc' | 'desc';
}

export interface Sort {
  readonly by: string;
  readonly order: 'asc' | 'desc';
}

interface ListBodyProps {
  readonly list: PagedList;
  /** Whether the pages so far have no rows. */
  readonly isEmpty: boolean;
  /** Shown when the list has ended without rows. */
  readonly empty?: ReactNode;
  readonly children: ReactNode;
}

/** A list of any screen: loading, failed, empty, or its rows and what continues them. */
export const ListBody = ({ list, isEmpty, empty, children }: ListBodyProps) => {
  const isRead = pagesOf(list).length > 0;
  // Without rows, a list that cannot be read again may have some now.
  const isUnknown =
    list.isError && (isDenied(list.error) || (!list.isFetchNextPageError && (!isRead || isEmpty)));
  return (
    <>
      {list.isPending && <Loading />}
      {isUnknown && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      {isRead && isEmpty && list.hasNextPage && !list.isError && <Loading label="Looking further" />}
      <Refreshing when={list.isPlaceholderData}>
        {isRead && (isEmpty ? !list.hasNextPage && !isUnknown && empty : children)}
      </Refreshing>
      <ListEnd list={list} isEmpty={isEmpty} />
    </>
  );
};

/**
 * Shown below a list that continues: a button for the next page, or the error. A filter can leave pages empty, so the
 * next page is read at once while nothing was found.
 */
const ListEnd = ({ list, isEmpty }: { list: PagedList; isEmpty: boolean }) => {
  const next = isEmpty ? nextPage(list) : undefined;
  useEffect(() => next?.(), [next]);
  if (!list.hasNextPage || isDenied(list.error)) return null;
  return (
    <Center mt="md">
      <Stack gap="xs" align="center">
        {list.isFetchNextPageError && (
          <Text role="alert">The next part of the list could not be loaded. {messageOf(list.error)}</Text>
        )}
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {list.isFetchNextPageError ? 'Try again' : 'Show more'}
        </Button>
      </Stack>
    </Center>
  );
};
