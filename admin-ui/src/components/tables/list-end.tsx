import { Button, Center, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { isDenied, messageOf } from '../../api/api-error.ts';

/** What is needed of a query that reads a list page by page. */
export interface PagedList {
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isError: boolean;
  readonly isFetchNextPageError: boolean;
  readonly error: unknown;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** What was read of a list: nothing any more once the service has said that it may not be seen. */
export const pagesOf = <Page,>(list: {
  readonly data: { readonly pages: readonly Page[] } | undefined;
  readonly error: unknown;
}): readonly Page[] => (isDenied(list.error) ? [] : (list.data?.pages ?? []));

/** Reads the next page of a list; undefined where there is none, or while one is being read. */
export const nextPage = ({
  hasNextPage,
  isFetching,
  isError,
  fetchNextPage,
}: PagedList): (() => void) | undefined =>
  hasNextPage && !isFetching && !isError ? () => void fetchNextPage() : undefined;

/**
 * Stands below a list whose end has not been read: a way to go on, and why it could not be read. A filter may leave
 * pages empty, so while nothing was found the next page is read at once.
 */
export const ListEnd = ({ list, isEmpty }: { list: PagedList; isEmpty: boolean }) => {
  const next = isEmpty ? nextPage(list) : undefined;
  useEffect(() => next?.(), [next]);
  if (!list.hasNextPage || isDenied(list.error)) return null;
  return (
    <Center mt="md">
      <Stack gap="xs" align="center">
        {list.isFetchNextPageError && (
          <Text size="sm" role="alert">
            The next part of the list could not be loaded. {messageOf(list.error)}
          </Text>
        )}
        <Button
          variant="default"
          size="xs"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {list.isFetchNextPageError ? 'Try again' : 'Show more'}
        </Button>
      </Stack>
    </Center>
  );
};
