import { Text } from '@mantine/core';
import { LIMITS } from '../../../../contract/limits.ts';
import { ErrorState, Loading, Notice } from '../states.tsx';
import { type Column, DataTable } from '../tables/data-table.tsx';
import { ListEnd, nextPage, type PagedList } from '../tables/list-end.tsx';
import { When } from '../when.tsx';
import type { Deleted } from './restore-button.tsx';

export interface DeletedListProps<Row> {
  /** What the list contains: `prompt` or `secret`. */
  readonly kind: string;
  readonly list: PagedList & {
    readonly isPending: boolean;
    readonly isSuccess: boolean;
    readonly refetch: () => Promise<unknown>;
  };
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
}

/** Deleted entries that can still be restored, page by page. */
export const DeletedList = <Row,>({ kind, list, rows, rowKey, columns }: DeletedListProps<Row>) => (
  <>
    {list.isPending && <Loading />}
    {list.isError && rows.length === 0 && <ErrorState error={list.error} retry={() => void list.refetch()} />}
    {list.isSuccess && rows.length === 0 && !list.hasNextPage && (
      <Notice title="Nothing to restore">
        <Text>
          No {kind} was deleted in the last {LIMITS.restoreDays} days.
        </Text>
      </Notice>
    )}
    {rows.length > 0 && (
      <DataTable
        label={`Deleted ${kind}s`}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        onEnd={nextPage(list)}
      />
    )}
    <ListEnd list={list} isEmpty={rows.length === 0} />
  </>
);

/** When something was deleted, and by whom. */
export const deletedColumn: Column<Deleted> = {
  key: 'deleted',
  title: 'Deleted',
  visibleFrom: 'sm',
  cell: ({ deletedAt, deletedBy }) => (
    <>
      <When at={deletedAt} short /> by {deletedBy}
    </>
  ),
};

/** Until when something can be restored. */
export const restorableColumn: Column<Deleted> = {
  key: 'until',
  title: 'Restorable until',
  cell: ({ restorableUntil }) => <When at={restorableUntil} dateOnly />,
};
