import { ActionIcon, Button, Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { environmentsSet } from '../../../../../contract/endpoints/vault.ts';
import { DEFAULT_ENVIRONMENT, isCriticalName } from '../../../../../contract/fields/patterns.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { sessionQuery, useRole } from '../../../api/session-context.tsx';
import { counted } from '../../../components/count.ts';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { LeaveGuard } from '../../../components/dialogs/leave-guard.tsx';
import {
  type Environment,
  EnvironmentMark,
  type Environments,
  inAddress,
} from '../../../components/environments.tsx';
import { IconArrowUp, IconX } from '../../../components/icons.tsx';
import { ReviewPanel } from '../../../components/layout/review-panel.tsx';
import { TextLink } from '../../../components/link.tsx';
import { Row, Small } from '../../../components/small.tsx';
import { changeSecrets } from '../secret-changes.ts';

/** The environments in their order; administrators add, order and remove them. */
export const EnvironmentsPanel = () => {
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
          <TextLink to="/vault" search={inAddress(environment.name)} size="sm">
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
                  <IconArrowUp size={16} />
                </ActionIcon>
              )}
              {row.name !== DEFAULT_ENVIRONMENT && !row.secrets && row.secrets !== null && (
                <ActionIcon
                  color="brick"
                  onClick={() => setRows(rows.toSpliced(index, 1))}
                  aria-label={`Remove ${row.name}`}
                >
                  <IconX size={16} />
                </ActionIcon>
              )}
            </Group>
          </Row>
        ))}
      </ol>
      <Group gap="xs" align="flex-end" wrap="nowrap">
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
