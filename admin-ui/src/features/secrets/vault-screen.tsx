import { ActionIcon, Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { environmentsSet, rotationStart } from '../../../../contract/endpoints/vault.ts';
import { DEFAULT_ENVIRONMENT, isCriticalName } from '../../../../contract/fields/patterns.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { isRefusal } from '../../api/api-error.ts';
import { sessionQuery, useCan } from '../../api/session-context.tsx';
import { verbOf } from '../../components/audit-words.ts';
import {
  Muted,
  Panel,
  ReviewPanel,
  Row,
  RowButton,
  Small,
  TextLink,
  When,
} from '../../components/basics.tsx';
import { confirm, DialogForm, LeaveGuard, openDialog, useFields } from '../../components/dialogs.tsx';
import {
  type Environment,
  EnvironmentMark,
  type Environments,
  inAddress,
  useEnvironment,
} from '../../components/environments.tsx';
import { Icon } from '../../components/icons.tsx';
import { counted, inDigits, listed } from '../../components/locale.ts';
import { Screen } from '../../components/screen.tsx';
import { QueryBoundary } from '../../components/states.tsx';
import { type Column, ListTable, pagesOf } from '../../components/tables/data-table.tsx';
import {
  changeSecrets,
  currentVault,
  type RevisionRow,
  restorePreviewQuery,
  restoreRevision,
  revisionsQuery,
  type VaultState,
  vaultQuery,
} from './secret-queries.ts';
import { confirmResume, confirmStop } from './serving.tsx';

interface OfVault {
  readonly environment: string;
  /** The current revision. */
  readonly current: number;
}

/** The revisions of the last days, each with the change that made it. */
const Revisions = ({ environment, current }: OfVault) => {
  const list = useInfiniteQuery(revisionsQuery(environment, current));
  const can = useCan();
  const total = pagesOf(list)[0]?.total;
  const rows = pagesOf(list).flatMap(({ revisions }) => revisions);
  const columns = can('admin') ? [...COLUMNS, restoreColumn({ environment, current })] : COLUMNS;
  return (
    <Panel title="Revisions" count={total}>
      <Muted mb="xs">
        Each change makes a revision. Earlier ones are kept for {LIMITS.restoreDays} days.
      </Muted>
      <ListTable label="Revisions" columns={columns} rows={rows} rowKey="revision" list={list} />
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
    below: 'revision',
    cell: ({ revision }) => inDigits(revision),
  },
  { title: 'By', visibleFrom: 'md', cell: ({ changedBy }) => changedBy },
  { title: 'Made', below: true, cell: ({ changedAt }) => <When at={changedAt} short /> },
  { title: 'Secrets', visibleFrom: 'sm', cell: ({ secrets }) => inDigits(secrets) },
];

const restoreColumn = (vault: OfVault): Column<RevisionRow> => ({
  title: 'Actions',
  width: '6rem',
  cell: ({ revision }) =>
    revision === vault.current ? (
      <Muted>current</Muted>
    ) : (
      <RowButton
        onClick={() =>
          openDialog({
            title: `Restore revision ${inDigits(revision)}`,
            content: <RestoreForm revision={revision} {...vault} />,
          })
        }
        aria-label={`Restore revision ${revision}`}
      >
        Restore
      </RowButton>
    ),
});

const RestoreForm = ({ revision, environment, current }: OfVault & { revision: number }) => {
  const preview = useQuery(restorePreviewQuery(environment, revision));
  // Not the current one: changes that were made in the meantime must not be undone unseen.
  const [seen, setSeen] = useState(current);
  const { values, text } = useFields({ typed: '' });
  const harms = preview.data && preview.data.removed.length + preview.data.switchedOff.length > 0;
  const restore = async (confirmed: boolean) => {
    try {
      await restoreRevision(environment, revision, confirmed, seen);
    } catch (refusal) {
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
      canSubmit={preview.data !== undefined && (!harms || values.typed === String(revision))}
      color={harms && 'brick'}
      action={restore}
      done={`Revision ${inDigits(revision)} is restored.`}
      override={{ code: 'would_widen_access', label: 'Let these API keys read them' }}
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
              <Text>
                {counted(readers.length, 'API key')} can read them: {listed(readers)}.
              </Text>
            )}
          </Stack>
        )}
      </QueryBoundary>
      {harms && (
        <TextInput
          label={`Type ${revision} to confirm that secrets are deleted or stop working`}
          {...text('typed')}
        />
      )}
    </DialogForm>
  );
};

const NAMED_SECRETS = 20;

const Keys = ({ keys, fate }: { keys: readonly string[]; fate: string }) =>
  keys.length === 0 ? null : (
    <Text>
      <strong>
        {counted(keys.length, 'secret')} {fate}:
      </strong>{' '}
      <span className="cv-mono">{listed(keys, keys.length, NAMED_SECRETS)}</span>
    </Text>
  );

/** The environments in their order; administrators add, order and remove them. */
const EnvironmentsPanel = () => {
  const can = useCan();
  const data = useQuery(sessionQuery).data?.environments;
  if (!data) return null;
  const { environments } = data;
  const open = () =>
    openDialog({
      title: 'Environments',
      holdsInput: true,
      content: <EnvironmentsForm {...data} />,
    });
  return (
    <ReviewPanel
      title="Environments"
      count={environments.length}
      actions={
        can('admin') && (
          <Button variant="default" onClick={open}>
            Edit the environments
          </Button>
        )
      }
    >
      {environments.map((environment) => (
        <Row key={environment.name}>
          <TextLink to="/vault" search={inAddress(environment.name)}>
            {environments.length > 1 ? <EnvironmentMark name={environment.name} /> : environment.name}
          </TextLink>
          <Small>{stateOf(environment)}</Small>
        </Row>
      ))}
    </ReviewPanel>
  );
};

const stateOf = ({ isNew, secrets, stopped }: Environment): string => {
  if (isNew) return 'is being created';
  if (secrets === null) return 'cannot be read: its head was changed without Cuevault';
  return counted(secrets, 'secret') + (stopped === null ? '' : ', not served');
};

type Listed = Pick<Environment, 'name' | 'isCritical'> & Partial<Environment>;

const namesOf = (rows: readonly Listed[]) => rows.map(({ name }) => name);

const EnvironmentsForm = ({ environments, revision }: Environments) => {
  const [rows, setRows] = useState<readonly Listed[]>(environments);
  const added = useFields({ name: '' });
  const name = added.values.name.trim();
  const canAdd = name !== '' && rows.every((row) => row.name !== name);
  const wanted = canAdd ? [...rows, { name, isCritical: isCriticalName(name) }] : rows;
  const isChanged = JSON.stringify(wanted) !== JSON.stringify(environments);
  const up = (index: number) =>
    setRows(rows.toSpliced(index - 1, 2, ...rows.slice(index - 1, index + 1).toReversed()));
  const save = () => {
    const critical = wanted.filter(({ isCritical }) => isCritical);
    const body = { environments: namesOf(wanted), critical: namesOf(critical), revision };
    return changeSecrets(environmentsSet, { body });
  };
  return (
    <DialogForm verb="Save" canSubmit={isChanged} action={save} done="The environments are saved.">
      <Text>
        Each has secrets, a key pair and revisions of its own. A call without an environment means{' '}
        <code>{DEFAULT_ENVIRONMENT}</code>. Critical ones have a flag wherever they are named.
      </Text>
      <ol className="cv-list cv-rows">
        {rows.map((row, index) => (
          <Row key={row.name}>
            <span className="cv-grow">{row.name}</span>
            <Small>
              {row.secrets === null ? 'unknown' : row.secrets !== undefined && counted(row.secrets, 'secret')}
            </Small>
            <Checkbox
              label="Critical"
              aria-label={`${row.name} is critical`}
              checked={row.isCritical}
              onChange={({ currentTarget: { checked } }) =>
                setRows(rows.with(index, { ...row, isCritical: checked }))
              }
            />
            <Group gap={4} wrap="nowrap" miw={60} justify="flex-end">
              {index > 0 && (
                <ActionIcon onClick={() => up(index)} aria-label={`Move ${row.name} up`}>
                  <Icon name="arrow-up" />
                </ActionIcon>
              )}
              {row.name !== DEFAULT_ENVIRONMENT && !row.secrets && row.secrets !== null && (
                <ActionIcon
                  color="brick"
                  onClick={() => setRows(rows.toSpliced(index, 1))}
                  aria-label={`Remove ${row.name}`}
                >
                  <Icon name="x" />
                </ActionIcon>
              )}
            </Group>
          </Row>
        ))}
      </ol>
      <Group align="flex-end" wrap="nowrap">
        <TextInput
          label="Add an environment"
          description="Lower-case letters, digits and “-”. It cannot be renamed."
          placeholder="staging"
          {...added.text('name')}
          maxLength={LIMITS.environmentBytes}
          autoCapitalize="off"
          spellCheck={false}
          style={{ flex: 1 }}
        />
        <Button
          variant="default"
          disabled={!canAdd}
          onClick={() => {
            setRows(wanted);
            added.set({ name: '' });
          }}
        >
          Add
        </Button>
      </Group>
      <LeaveGuard when={isChanged} />
    </DialogForm>
  );
};

/** The vault as a whole: whether it serves secrets, and its revisions. */
export const VaultScreen = () => {
  const environment = useEnvironment();
  const query = useQuery(vaultQuery(environment));
  const vault = query.data?.vault;
  return (
    <Screen
      beside={<EnvironmentMark name={environment} />}
      subtitle={vault && `${counted(vault.secrets, 'secret')} · revision ${inDigits(vault.revision)}`}
    >
      <QueryBoundary query={query}>
        {({ vault: found }) => (
          <Stack>
            <EnvironmentsPanel />
            <Serving environment={environment} vault={found} />
            <KeyPair key={environment} environment={environment} vault={found} />
            <Revisions environment={environment} current={found.revision} />
          </Stack>
        )}
      </QueryBoundary>
    </Screen>
  );
};

interface VaultProps {
  environment: string;
  vault: VaultState;
}

const Serving = ({ environment, vault: { stopped } }: VaultProps) => {
  const can = useCan();
  return (
    <Panel
      title="Serving"
      actions={
        can('admin') && (
          <Button
            color={stopped ? 'spruce' : 'brick'}
            variant="light"
            onClick={() => (stopped ? confirmResume : confirmStop)(environment)}
          >
            {stopped ? 'Resume' : 'Stop serving secrets'}
          </Button>
        )
      }
    >
      <Text>
        {stopped ? 'No application gets secrets.' : 'Applications with a valid API key get their secrets.'}
      </Text>
    </Panel>
  );
};

const REFRESH_MS = 3_000;

/** The key pair that values are encrypted to; administrators replace it. */
const KeyPair = ({ environment, vault }: VaultProps) => {
  const { keyVersion, reencrypted } = vault;
  const can = useCan();
  const [replaced, setReplaced] = useState<number>();
  const isUnderWay = replaced !== undefined && (keyVersion === replaced || !reencrypted);
  useQuery({ ...vaultQuery(environment), refetchInterval: isUnderWay ? REFRESH_MS : false });
  const open = () =>
    confirm({
      title: 'Replace the key pair',
      verb: 'Replace',
      action: async () => {
        await changeSecrets(rotationStart, { body: { environment, keyVersion } });
        setReplaced(keyVersion);
      },
      done: 'The rotation has started.',
      text: `A new key pair takes the place of no. ${inDigits(keyVersion)}, and every value is encrypted to it. This takes seconds, or minutes for thousands of secrets. Applications notice nothing.`,
      children: (
        <Text>If values themselves may have leaked, replace them too: this does not protect them.</Text>
      ),
    });
  return (
    <Panel
      title="Key pair"
      actions={
        can('admin') && (
          <Button variant="default" onClick={open} loading={isUnderWay}>
            Replace the key pair
          </Button>
        )
      }
    >
      <Text role="status">{textOf(vault, isUnderWay)}</Text>
    </Panel>
  );
};

const textOf = ({ keyVersion, reencrypted }: VaultState, isUnderWay: boolean): string => {
  const number = `Key pair no. ${inDigits(keyVersion)}`;
  if (reencrypted && isUnderWay) return `${number} is being replaced.`;
  if (reencrypted) return `Every value is encrypted to key pair no. ${inDigits(keyVersion)}.`;
  return `${number} is in use. Some values are still encrypted to an earlier one; the rotation re-encrypts them.`;
};
