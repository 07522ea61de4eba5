import { Group, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { isRefusal, messageOf } from '../../api/api-error.ts';
import { useRole } from '../../api/session-context.tsx';
import { useAction } from '../../api/use-action.ts';
import { confirm, notifyDone, notifyFailure } from '../dialogs/dialog-form.tsx';
import { Screen } from '../layout/screen.tsx';
import { RowButton, When } from '../small.tsx';
import { Loading, NotFound, Notice } from '../states.tsx';
import type { PagedList } from '../tables/data-table.tsx';
import { type Column, ListTable } from '../tables/data-table.tsx';

/** When something was deleted, by whom, and until when it can be restored. */
type Deleted = Readonly<Record<'deletedAt' | 'deletedBy' | 'restorableUntil', string>>;

interface RestoreButtonProps {
  readonly name: string;
  /**
   * Restores it. The service may reject it with `would_widen_access`; then an administrator is asked, and `confirmed` is
   * true after they confirm.
   */
  readonly restore: (confirmed: boolean) => Promise<unknown>;
  readonly show: () => Promise<unknown>;
}

// The service's advice is for programs; here, a button replaces it.
const HOW_TO_CONFIRM = / Only an administrator .*$/;

const RestoreButton = ({ name, restore, show }: RestoreButtonProps) => {
  const { can } = useRole();
  const run = async (confirmed: boolean) => {
    await restore(confirmed);
    notifyDone(`${name} is restored.`);
    await show();
  };
  const ask = (text: string) =>
    confirm({ title: `Restore ${name}`, verb: 'Restore anyway', action: () => run(true), text });
  const { mutate, isPending } = useAction(
    () => run(false),
    (error) => {
      if (can('admin') && isRefusal(error, 'would_widen_access'))
        ask(messageOf(error).replace(HOW_TO_CONFIRM, ''));
      else notifyFailure(error);
    },
  );
  if (!can('editor')) return null;
  return (
    <RowButton loading={isPending} onClick={() => mutate()} aria-label={`Restore ${name}`}>
      Restore
    </RowButton>
  );
};

interface DeletedScreenProps<Row> {
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
            <Text>
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

interface DeletedNoticeProps<Found> extends Omit<RestoreButtonProps, 'name'> {
  /** What it was: `prompt` or `secret`. */
  readonly kind: string;
  /** Looks it up among what can still be restored; null if it is not there. */
  readonly query: UseQueryResult<Found | null>;
  readonly nameOf: (found: Found) => string;
  /** The link to the list of deleted entries. */
  readonly list: ReactNode;
}

/** Shown instead of something that does not exist; restores it if possible. */
export const DeletedNotice = <Found extends Deleted>({
  kind,
  query: { isPending, data: found },
  nameOf,
  list,
  ...restoring
}: DeletedNoticeProps<Found>) => {
  if (isPending) return <Loading />;
  if (!found) return <NotFound what={kind} />;
  const { deletedAt, deletedBy, restorableUntil } = found;
  return (
    <Notice title={`This ${kind} was deleted`}>
      <Text className="cv-break">
        <strong>{nameOf(found)}</strong> was deleted <When at={deletedAt} short /> by {deletedBy}. It can be
        restored until <When at={restorableUntil} />.
      </Text>
      <Group gap="md">
        <RestoreButton name={nameOf(found)} {...restoring} />
        {list}
      </Group>
    </Notice>
  );
};
