import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { Screen } from '../layout/screen.tsx';
import { Notice } from '../states.tsx';
import { type Column, ListTable } from '../tables/data-table.tsx';
import type { PagedList } from '../tables/list-body.tsx';
import { When } from '../when.tsx';
import { type Deleted, RestoreButton, type RestoreButtonProps } from './restore-button.tsx';

export interface DeletedScreenProps<Row> {
  /** What the list contains: `prompt` or `secret`. */
  readonly kind: string;
  /** The link to those that are not deleted. */
  readonly above: ReactNode;
  readonly list: PagedList;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The first columns. */
  readonly columns: readonly Column<Row>[];
  /** How a row is restored. */
  readonly restoring: (row: Row) => RestoreButtonProps;
}

export const DeletedScreen = <Row extends Deleted>({ kind, above, ...body }: DeletedScreenProps<Row>) => {
  const { list, rows, rowKey, columns, restoring } = body;
  const action: Column<Row> = {
    title: 'Actions',
    width: '6rem',
    cell: (row) => <RestoreButton {...restoring(row)} />,
  };
  return (
    <Screen
      title={`Deleted ${kind}s`}
      above={above}
      subtitle={`A deleted ${kind} can be restored for ${LIMITS.restoreDays} days.`}
    >
      <ListTable
        label={`Deleted ${kind}s`}
        columns={[...columns, ...COLUMNS, action]}
        rows={rows}
        rowKey={rowKey}
        list={list}
        empty={
          <Notice title="Nothing to restore">
            <Text size="md">
              No {kind} was deleted in the last {LIMITS.restoreDays} days.
            </Text>
          </Notice>
        }
      />
    </Screen>
  );
};

const COLUMNS: readonly Column<Deleted>[] = [
  {
    title: 'Deleted',
    visibleFrom: 'sm',
    cell: ({ deletedAt, deletedBy }) => (
      <>
        <When at={deletedAt} short /> by {deletedBy}
      </>
    ),
  },
  { title: 'Restorable until', cell: ({ restorableUntil }) => <When at={restorableUntil} dateOnly /> },
];
