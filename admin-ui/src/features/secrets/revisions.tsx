import { Alert, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { isRefusal } from '../../api/api-error.ts';
import { useRole } from '../../api/session-context.tsx';
import { verbOf } from '../../components/audit-words.ts';
import { Panel, RowButton, When } from '../../components/basics.tsx';
import { DialogForm, openDialog } from '../../components/dialogs.tsx';
import { counted, inDigits, listed } from '../../components/locale.ts';
import { QueryBoundary } from '../../components/states.tsx';
import { type Column, ListTable, pagesOf } from '../../components/tables/data-table.tsx';
import {
  currentVault,
  type RevisionRow,
  restorePreviewQuery,
  restoreRevision,
  revisionsQuery,
} from './secret-queries.ts';

interface OfVault {
  readonly environment: string;
  /** The current revision. */
  readonly current: number;
}

/** The revisions of the last days, each with the change that made it. */
export const Revisions = ({ environment, current }: OfVault) => {
  const list = useInfiniteQuery(revisionsQuery(environment, current));
  const { can } = useRole();
  const total = pagesOf(list)[0]?.total;
  const rows = pagesOf(list).flatMap(({ revisions }) => revisions);
  const columns = can('admin') ? [...COLUMNS, restoreColumn({ environment, current })] : COLUMNS;
  return (
    <Panel title="Revisions" {...(total !== undefined && { count: total })}>
      <Text c="dimmed" mb="xs">
        Each change makes a revision. Earlier ones are kept for {LIMITS.restoreDays} days.
      </Text>
      <ListTable
        label="Revisions"
        columns={columns}
        rows={rows}
        rowKey={({ revision }) => String(revision)}
        list={list}
      />
    </Panel>
  );
};

const changeOf = ({ change, changedBy }: RevisionRow): string => {
  if (change === null) return changedBy === 'system' ? 're-encrypted values' : 'not in the audit log';
  return change.name === 'vault' ? verbOf(change) : `${verbOf(change)} ${change.name}`;
};

const COLUMNS: readonly Column<RevisionRow>[] = [
  {
    title: 'Change',
    cell: (row) => <span className="cv-break">{changeOf(row)}</span>,
  },
  {
    title: 'Number',
    width: '5rem',
    visibleFrom: 'sm',
    below: 'revision',
    cell: ({ revision }) => inDigits(revision),
  },
  { title: 'By', visibleFrom: 'md', cell: ({ changedBy }) => changedBy },
  { title: 'Made', visibleFrom: 'sm', below: true, cell: ({ changedAt }) => <When at={changedAt} short /> },
  { title: 'Secrets', visibleFrom: 'sm', cell: ({ secrets }) => inDigits(secrets) },
];

const openRestore = (revision: number, vault: OfVault): void =>
  openDialog({
    title: `Restore revision ${inDigits(revision)}`,
    content: <RestoreForm revision={revision} {...vault} />,
  });

const restoreColumn = (vault: OfVault): Column<RevisionRow> => ({
  title: 'Actions',
  width: '6rem',
  cell: ({ revision }) =>
    revision === vault.current ? (
      <Text c="dimmed">current</Text>
    ) : (
      <RowButton onClick={() => openRestore(revision, vault)} aria-label={`Restore revision ${revision}`}>
        Restore
      </RowButton>
    ),
});

const RestoreForm = ({ revision, environment, current }: OfVault & { revision: number }) => {
  const preview = useQuery(restorePreviewQuery(environment, revision));
  // Not the current one: changes that were made in the meantime must not be undone unseen.
  const [seen, setSeen] = useState(current);
  const [widens, setWidens] = useState(false);
  const [confirmed, setConfirmed] = useState(false);
  const [typed, setTyped] = useState('');
  const harms = preview.data && preview.data.removed.length + preview.data.switchedOff.length > 0;
  const restore = async () => {
    try {
      await restoreRevision(environment, revision, confirmed, seen);
    } catch (refusal) {
      if (isRefusal(refusal, 'would_widen_access')) setWidens(true);
      if (isRefusal(refusal, 'changed_meanwhile')) {
        setSeen((await currentVault(environment)).revision);
        // Read after it, so that the list is never of an earlier one.
        await preview.refetch();
      }
      throw refusal;
    }
  };
  return (
    <DialogForm
      verb="Restore"
      canSubmit={
        preview.data !== undefined && (!widens || confirmed) && (!harms || typed === String(revision))
      }
      {...(harms && { color: 'brick' })}
      action={restore}
      done={`Revision ${inDigits(revision)} is restored.`}
      hint={(refusal) =>
        isRefusal(refusal, 'would_widen_access') && (
          <Checkbox
            mt="xs"
            label="Let these API keys read them"
            checked={confirmed}
            onChange={(event) => setConfirmed(event.currentTarget.checked)}
          />
        )
      }
    >
      <QueryBoundary query={preview}>
        {({ changed, returning, removed, switchedOff, readers }) => (
          <Stack gap="xs">
            {switchedOff.length > 0 && (
              <Alert color="brick" title="Applications would fail">
                <Keys keys={switchedOff} fate="will have a credential that is recorded as disabled" />
              </Alert>
            )}
            <Keys keys={changed} fate="will return to earlier values or tags" />
            <Keys keys={returning} fate="will be restored" />
            <Keys keys={removed} fate="will be deleted" />
            {changed.length + returning.length + removed.length === 0 && (
              <Text>No secret differs from this revision.</Text>
            )}
            {readers.length > 0 && (
              <Text className="cv-break">
                {counted(readers.length, 'API key')} can read them: {listed(readers, NAMED_SECRETS)}.
              </Text>
            )}
          </Stack>
        )}
      </QueryBoundary>
      {harms && (
        <TextInput
          label={`Type ${revision} to confirm that secrets are deleted or stop working`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </DialogForm>
  );
};

const NAMED_SECRETS = 20;

const Keys = ({ keys, fate }: { keys: readonly string[]; fate: string }) =>
  keys.length === 0 ? null : (
    <Text className="cv-break">
      <strong>
        {counted(keys.length, 'secret')} {fate}:
      </strong>{' '}
      <span className="cv-mono">{listed(keys, NAMED_SECRETS)}</span>
    </Text>
  );
