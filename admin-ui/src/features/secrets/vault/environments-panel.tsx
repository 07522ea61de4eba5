import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { environmentsSet } from '../../../../../contract/endpoints/vault.ts';
import { DEFAULT_ENVIRONMENT } from '../../../../../contract/fields/patterns.ts';
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

const EnvironmentsForm = ({ environments, revision }: Environments) => {
  const before = environments.map(({ name }) => name);
  const [names, setNames] = useState(before);
  const [typed, setTyped] = useState('');
  const added = typed.trim();
  const wanted = added === '' || names.includes(added) ? names : [...names, added];
  const secretsIn = (name: string): string => {
    const { secrets = 0 } = environments.find((environment) => environment.name === name) ?? {};
    return secrets === 0 ? '' : secrets === null ? 'unknown' : counted(secrets, 'secret');
  };
  const up = (index: number) =>
    setNames(names.toSpliced(index, 1).toSpliced(index - 1, 0, names[index] ?? ''));
  return (
    <DialogForm
      verb="Save"
      canSubmit={wanted.join() !== before.join()}
      action={() => changeSecrets(environmentsSet, { body: { environments: wanted, revision } })}
      done="The environments are saved."
    >
      <Text>
        Each has secrets, a key pair and revisions of its own. A call without an environment means{' '}
        <code>{DEFAULT_ENVIRONMENT}</code>. The last one is marked everywhere as the one that matters most.
      </Text>
      <ol className="cv-list cv-rows">
        {names.map((name, index) => (
          <Row component="li" key={name}>
            <span className="cv-break">{name}</span>
            <Group gap={4} ml="auto" wrap="nowrap">
              {index > 0 && (
                <ActionIcon onClick={() => up(index)} aria-label={`Move ${name} up`}>
                  <IconArrowUp size={16} />
                </ActionIcon>
              )}
              {name !== DEFAULT_ENVIRONMENT &&
                (secretsIn(name) ? (
                  <Small>{secretsIn(name)}</Small>
                ) : (
                  <ActionIcon
                    color="brick"
                    onClick={() => setNames(names.filter((other) => other !== name))}
                    aria-label={`Remove ${name}`}
                  >
                    <IconX size={16} />
                  </ActionIcon>
                ))}
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
          disabled={wanted === names}
          onClick={() => {
            setNames(wanted);
            setTyped('');
          }}
        >
          Add
        </Button>
      </Group>
      <LeaveGuard when={wanted.join() !== before.join()} />
    </DialogForm>
  );
};
