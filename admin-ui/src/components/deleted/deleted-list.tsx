import { Text } from '@mantine/core';
import { LIMITS } from '../../../../contract/limits.ts';
import { Notice } from '../states.tsx';
import { type Column, DataTable } from '../tables/data-table.tsx';
import { ListBody, nextPage, type PagedList } from '../tables/list-body.tsx';
import { When } from '../when.tsx';
import type { Deleted } from './restore-button.tsx';

export interface DeletedListProps<Row> {
  /** What the list contains: `prompt` or `secret`. */
  readonly kind: string;
  readonly list: PagedList;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
}

/** Deleted entries that can still be restored, page by page. */
export const DeletedList = <Row,>({ kind, list, rows, rowKey, columns }: DeletedListProps<Row>) => (
  <ListBody list={list} isEmpty={rows.length === 0} empty={<NothingDeleted kind={kind} />}>
    <DataTable
      label={`Deleted ${kind}s`}
      columns={columns}
      rows={rows}
      rowKey={rowKey}
      onEnd={nextPage(list)}
    />
  </ListBody>
);

const NothingDeleted = ({ kind }: { kind: string }) => (
  <Notice title="Nothing to restore">
    <Text>
      No {kind} was deleted in the last {LIMITS.restoreDays} days.
    </Text>
  </Notice>
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
