import { ActionIcon, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { environmentsSet, rotationStart } from '../../../../contract/endpoints/vault.ts';
import { DEFAULT_ENVIRONMENT, isCriticalName } from '../../../../contract/fields/patterns.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { sessionQuery, useRole } from '../../api/session-context.tsx';
import { Panel, ReviewPanel, Row, Small, TextLink } from '../../components/basics.tsx';
import { confirm, DialogForm, LeaveGuard, openDialog } from '../../components/dialogs.tsx';
import {
  type Environment,
  EnvironmentMark,
  type Environments,
  inAddress,
  useEnvironment,
} from '../../components/environments.tsx';
import { IconArrowUp, IconX } from '../../components/icons.tsx';
import { counted, inDigits } from '../../components/locale.ts';
import { Screen } from '../../components/screen.tsx';
import { QueryBoundary } from '../../components/states.tsx';
import { Revisions } from './revisions.tsx';
import { changeSecrets, type VaultState, vaultQuery } from './secret-queries.ts';
import { confirmResume, confirmStop } from './serving.tsx';

/** The environments in their order; administrators add, order and remove them. */
const EnvironmentsPanel = () => {
  const { can } = useRole();
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
        <Row component="li" key={environment.name}>
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
  const [typed, setTyped] = useState('');
  const name = typed.trim();
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
          <Row component="li" key={row.name}>
            <span className="cv-grow">{row.name}</span>
            <Small>{row.secrets === null ? 'unknown' : row.secrets && counted(row.secrets, 'secret')}</Small>
            <Checkbox
              size="xs"
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
                  <IconArrowUp />
                </ActionIcon>
              )}
              {row.name !== DEFAULT_ENVIRONMENT && !row.secrets && row.secrets !== null && (
                <ActionIcon
                  color="brick"
                  onClick={() => setRows(rows.toSpliced(index, 1))}
                  aria-label={`Remove ${row.name}`}
                >
                  <IconX />
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
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
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
            setTyped('');
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
  readonly environment: string;
  readonly vault: VaultState;
}

const Serving = ({ environment, vault: { stopped } }: VaultProps) => {
  const { can } = useRole();
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
  const { can } = useRole();
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
        <Text>
          If values themselves may have leaked, replace them too: a new key pair does not protect values that
          someone already knows.
        </Text>
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
