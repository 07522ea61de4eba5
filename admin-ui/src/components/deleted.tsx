import { Group, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { NavigateOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LIMITS } from '../../../contract/limits.ts';
import { isRefusal, messageOf } from '../api/api-error.ts';
import { useLeadOn } from '../api/leaving.ts';
import { useCan } from '../api/session-context.tsx';
import { dateOf, When } from './basics.tsx';
import { ActionButton, confirm, notifyDone } from './dialogs.tsx';
import { Screen } from './screen.tsx';
import { Loading, NotFound, Notice } from './states.tsx';
import { type Column, ListTable, type PagedList } from './tables/data-table.tsx';

/** When something was deleted, by whom, and until when it can be restored. */
type Deleted = Readonly<Record<'deletedAt' | 'deletedBy' | 'restorableUntil', string>>;

/** What can be restored, and how. */
export interface DeletedKind<Row> {
  /** `prompt` or `secret`. */
  readonly one: string;
  readonly nameOf: (row: Row) => string;
  /**
   * Restores it. The service may reject it with `would_widen_access`; then an administrator is asked, and `confirmed` is
   * true after they confirm.
   */
  readonly restore: (row: Row, confirmed: boolean) => Promise<unknown>;
  /** Where it is afterwards. */
  readonly page: (row: Row) => NavigateOptions;
}

// The service's advice is for programs; here, a button replaces it.
const HOW_TO_CONFIRM = / Only an administrator .*$/;

const RestoreButton = <Row,>({ of, row }: { of: DeletedKind<Row>; row: Row }) => {
  const can = useCan();
  const leadOn = useLeadOn();
  const name = of.nameOf(row);
  const run = async (confirmed: boolean) => {
    await of.restore(row, confirmed);
    notifyDone(`${name} is restored.`);
    await leadOn(of.page(row));
  };
  const ask = (text: string) =>
    confirm({ title: `Restore ${name}`, verb: 'Restore anyway', action: () => run(true), text });
  const restore = async () => {
    try {
      await run(false);
    } catch (error) {
      if (!can('admin') || !isRefusal(error, 'would_widen_access')) throw error;
      ask(messageOf(error).replace(HOW_TO_CONFIRM, ''));
    }
  };
  return (
    can('editor') && (
      <ActionButton size="compact-xs" action={restore} aria-label={`Restore ${name}`}>
        Restore
      </ActionButton>
    )
  );
};

interface DeletedNoticeProps<Row> {
  of: DeletedKind<Row>;
  /** Looks it up among what can still be restored; null if it is not there. */
  query: UseQueryResult<Row | null>;
  /** The link to the list of deleted entries. */
  list: ReactNode;
}

/** Shown instead of something that does not exist; restores it if possible. */
export const DeletedNotice = <Row extends Deleted>({ of, query, list }: DeletedNoticeProps<Row>) => {
  const { isPending, data: found } = query;
  if (isPending) return <Loading />;
  if (!found) return <NotFound what={of.one} />;
  const { deletedAt, deletedBy, restorableUntil } = found;
  return (
    <Notice title={`This ${of.one} was deleted`}>
      <Text>
        <strong>{of.nameOf(found)}</strong> was deleted <When at={deletedAt} short /> by {deletedBy}. It can
        be restored until <When at={restorableUntil} />.
      </Text>
      <Group gap="md">
        <RestoreButton of={of} row={found} />
        {list}
      </Group>
    </Notice>
  );
};

interface DeletedScreenProps<Row> {
  of: DeletedKind<Row>;
  above?: ReactNode;
  list: PagedList;
  rows: readonly Row[];
}

/** What was deleted in the last days, to be restored. */
export const DeletedScreen = <Row extends Deleted>({ of, above, list, rows }: DeletedScreenProps<Row>) => {
  const { one, nameOf } = of;
  const columns: readonly Column<Row>[] = [
    { title: 'Name', cell: (row) => <span className="cv-break">{nameOf(row)}</span> },
    {
      title: 'Deleted',
      below: true,
      cell: ({ deletedAt, deletedBy }) => (
        <span className="cv-break">
          <When at={deletedAt} short /> by {deletedBy}
        </span>
      ),
    },
    { title: 'Restorable until', cell: ({ restorableUntil }) => dateOf(restorableUntil) },
    { title: 'Actions', width: '6rem', cell: (row) => <RestoreButton of={of} row={row} /> },
  ];
  return (
    <Screen above={above} subtitle={`A deleted ${one} can be restored for ${LIMITS.restoreDays} days.`}>
      <ListTable
        label={`Deleted ${one}s`}
        columns={columns}
        rows={rows}
        rowKey={(row) => nameOf(row) + row.deletedAt}
        list={list}
        empty={
          <Notice title="Nothing to restore">
            <Text>
              No {one} was deleted in the last {LIMITS.restoreDays} days.
            </Text>
          </Notice>
        }
      />
    </Screen>
  );
};
