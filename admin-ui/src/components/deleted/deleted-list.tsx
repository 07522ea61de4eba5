import { Button, Text } from '@mantine/core';
import { LIMITS } from '../../../../contract/limits.ts';
import { useRole } from '../../api/session-context.tsx';
import { useAction } from '../../api/use-action.ts';
import { notifyDone, notifyFailure } from '../dialogs/notify.tsx';
import { ErrorState, Loading, Notice } from '../states.tsx';
import { type Column, DataTable } from '../tables/data-table.tsx';
import { ListEnd, nextPage, type PagedList } from '../tables/list-end.tsx';
import { When } from '../when.tsx';

/** When something was deleted, by whom, and until when it can be restored. */
export interface Deleted {
  readonly deletedAt: string;
  readonly deletedBy: string;
  readonly restorableUntil: string;
}

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

export interface RestoreButtonProps {
  readonly name: string;
  /** Restores it. */
  readonly restore: () => Promise<unknown>;
  /** Opens its screen. */
  readonly show: () => Promise<unknown>;
}

/** The button for operators who may restore. */
export const RestoreButton = ({ name, restore, show }: RestoreButtonProps) => {
  const { can } = useRole();
  const { mutate, isPending } = useAction(async () => {
    await restore();
    notifyDone(`${name} is back.`);
    await show();
  }, notifyFailure);
  if (!can('editor')) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={isPending}
      onClick={() => mutate()}
      aria-label={`Restore ${name}`}
    >
      Restore
    </Button>
  );
};
