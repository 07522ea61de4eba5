import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { servingSet } from '../../../../contract/endpoints/vault.ts';
import { LIMITS, utf8Bytes } from '../../../../contract/limits.ts';
import { sessionQuery, useCan } from '../../api/session-context.tsx';
import { When } from '../../components/basics.tsx';
import { confirm, DialogForm, openDialog, useFields } from '../../components/dialogs.tsx';
import { useEnvironments, useOf } from '../../components/environments.tsx';
import { changeSecrets } from './secret-queries.ts';

/** While the vault of a new environment is created. */
const SOON_MS = 2_000;

export const confirmStop = (environment: string): void =>
  openDialog({ title: 'Stop serving secrets', content: <StopForm environment={environment} /> });

const StopForm = ({ environment }: { environment: string }) => {
  const of = useOf();
  const form = useFields({ reason: '' });
  const reason = form.values.reason.trim();
  const isTooLong = utf8Bytes(reason) > LIMITS.stopReasonBytes;
  return (
    <DialogForm
      verb="Stop serving secrets"
      color="brick"
      canSubmit={reason !== '' && !isTooLong}
      action={() => changeSecrets(servingSet, { body: { environment, allowed: false, reason } })}
      done={`No secrets${of(environment)} are served now.`}
    >
      <Text>
        From the next call on, reads of secrets{of(environment)} fail with <code>vault_stopped</code>, and the
        clients delete their copies. Prompts keep working.
      </Text>
      <TextInput
        data-autofocus
        label="Why?"
        description="Every operator sees it until the vault serves again. It stays in the audit log."
        error={isTooLong && 'This is too long.'}
        {...form.text('reason')}
      />
    </DialogForm>
  );
};

/** Asks before the vault serves secrets again. */
export const confirmResume = (environment: string): void =>
  confirm({
    title: 'Resume serving secrets',
    verb: 'Resume',
    action: () => changeSecrets(servingSet, { body: { environment, allowed: true } }),
    done: 'Applications get their secrets again.',
    text: 'Applications get their secrets again from the next call on.',
  });

/** Says on every screen that the vault is stopped, by whom and why. */
export const StoppedBanner = () => {
  const can = useCan();
  const of = useOf();
  const environments = useEnvironments();
  const isAwaited = environments.some(({ isNew }) => isNew);
  useQuery({ ...sessionQuery, refetchInterval: isAwaited ? SOON_MS : false });
  return environments.map(
    ({ name, stopped }) =>
      stopped && (
        <Alert key={name} color="brick" variant="filled" radius={0} role="alert" py="xs" className="cv-break">
          <Group justify="space-between">
            <Text inherit>
              The vault{of(name)} is stopped: no application gets its secrets. Stopped{' '}
              <When at={stopped.at} short /> by {stopped.by}: {stopped.reason}
            </Text>
            {can('admin') && (
              <Button
                size="compact-sm"
                variant="white"
                color="brick"
                onClick={() => confirmResume(name)}
                aria-label={`Resume${of(name)}`}
              >
                Resume
              </Button>
            )}
          </Group>
        </Alert>
      ),
  );
};
