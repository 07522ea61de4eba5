import { Button, Text } from '@mantine/core';
import { LIMITS } from '../../../../../contract/limits.ts';
import { useRole } from '../../../api/session-context.tsx';
import { CopyTextButton } from '../../../components/code/copy-button.tsx';
import { counted, listed } from '../../../components/count.ts';
import { confirmByName } from '../../../components/dialogs/confirm-by-name.tsx';
import { DAY_MS } from '../../../components/locale.ts';
import { openTags } from '../dialogs.tsx';
import { deleteSecrets } from '../secret-changes.ts';
import type { SecretRow } from '../secret-queries.ts';

interface SecretActsProps {
  readonly secrets: readonly SecretRow[];
  readonly onSelect: (secretIds: readonly string[]) => void;
}

/** What can be done with several secrets at once. */
export const SecretActs = ({ secrets, onSelect }: SecretActsProps) => {
  const { can } = useRole();
  const open = (change: 'add' | 'remove') => openTags({ secrets, change, onFailed: onSelect });
  return (
    <>
      <CopyTextButton text={secrets.map(({ key }) => key).join('\n')} label="the names" />
      {can('editor') && (
        <>
          <Button variant="default" onClick={() => open('add')}>
            Add tags
          </Button>
          <Button
            variant="default"
            onClick={() => open('remove')}
            disabled={secrets.every(({ tags }) => tags.length === 0)}
          >
            Remove tags
          </Button>
          <Button variant="default" color="brick" onClick={() => confirmDeletion(secrets)}>
            Delete
          </Button>
        </>
      )}
    </>
  );
};

const NAMED_SECRETS = 10;
const keysOf = (secrets: readonly SecretRow[]): string =>
  listed(
    secrets.map(({ key }) => key),
    NAMED_SECRETS,
  );

/** Asks before several secrets are deleted, and says which of them were read recently. */
const confirmDeletion = (secrets: readonly SecretRow[]): void => {
  const what = counted(secrets.length, 'secret');
  const since = new Date(Date.now() - LIMITS.inUseDays * DAY_MS).toISOString();
  const inUse = secrets.filter(({ lastRead }) => lastRead !== null && lastRead.at >= since);
  confirmByName({
    title: `Delete ${what}`,
    name: `delete ${what}`,
    verb: 'Delete',
    action: () => deleteSecrets(secrets),
    done: `${what} deleted. Deleted secrets can be restored for ${LIMITS.restoreDays} days.`,
    text: (
      <>
        <Text size="md" mb="xs" className="cv-break">
          Applications no longer receive {keysOf(secrets)}. Secrets are deleted one after the other.
        </Text>
        <Text size="md" c={inUse.length > 0 ? 'amber' : 'dimmed'} className="cv-break">
          {inUse.length > 0 ? 'Read' : 'Not read'} in the last {LIMITS.inUseDays} days
          {inUse.length > 0 && `: ${keysOf(inUse)}`}.
        </Text>
      </>
    ),
  });
};
