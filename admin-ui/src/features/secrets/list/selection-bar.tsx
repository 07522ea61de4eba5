import { Alert, Button, Group, MultiSelect, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../../../contract/limits.ts';
import { useRole } from '../../../api/session-context.tsx';
import { CopyTextButton } from '../../../components/code/copy-button.tsx';
import { counted, listed } from '../../../components/count.ts';
import { confirmByName } from '../../../components/dialogs/confirm-by-name.tsx';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { tagsAfter, unchangedBy } from '../../../components/several.ts';
import { changeTags, deleteSecrets, type Named } from '../secret-changes.ts';
import { currentSecret, type SecretRow, tagReadersQuery } from '../secret-queries.ts';
import { WideningWarning } from '../tag-readers.tsx';
import { TagsField } from '../tags-field.tsx';

interface SelectionBarProps {
  readonly secrets: readonly SecretRow[];
  readonly onSelect: (secretIds: readonly string[]) => void;
}

/** What can be done with several secrets at once. */
export const SelectionBar = ({ secrets, onSelect }: SelectionBarProps) => {
  const { can } = useRole();
  return (
    <Group gap="xs" mb="sm" role="group" aria-label="Selected secrets">
      <Text fw={600} role="status">
        {counted(secrets.length, 'secret')} selected
      </Text>
      <CopyTextButton text={secrets.map(({ key }) => key).join('\n')} label="the names" />
      {can('editor') && (
        <>
          <Button variant="default" onClick={() => openTags({ secrets, change: 'add', onFailed: onSelect })}>
            Add tags
          </Button>
          <Button
            variant="default"
            onClick={() => openTags({ secrets, change: 'remove', onFailed: onSelect })}
            disabled={secrets.every(({ tags }) => tags.length === 0)}
          >
            Remove tags
          </Button>
          <Button variant="default" color="brick" onClick={() => confirmDeletion(secrets)}>
            Delete
          </Button>
        </>
      )}
      <Button variant="subtle" onClick={() => onSelect([])}>
        Clear the selection
      </Button>
    </Group>
  );
};

const NAMED = 10;
const DAY_MS = 86_400_000;

const keysOf = (secrets: readonly SecretRow[]): string =>
  listed(
    secrets.map(({ key }) => key),
    NAMED,
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
        {inUse.length > 0 ? (
          <Text size="md" c="amber" className="cv-break">
            Read in the last {LIMITS.inUseDays} days: {keysOf(inUse)}.
          </Text>
        ) : (
          <Text size="md" c="dimmed">
            Not read in the last {LIMITS.inUseDays} days.
          </Text>
        )}
      </>
    ),
  });
};

type Tagged = Named & Pick<SecretRow, 'tags'>;

interface TagsOfSelectedProps {
  readonly secrets: readonly Tagged[];
  readonly change: 'add' | 'remove';
  /** Selects these secrets, which could not be changed. */
  readonly onFailed: (secretIds: readonly string[]) => void;
}

/** The secret as it is now, or as it was if that cannot be read, such as after a deletion. */
const readAgain = (secret: Tagged): Promise<Tagged> => currentSecret(secret).catch(() => secret);

/** Opens a dialog that adds tags to several secrets, or removes tags from them. */
const openTags = (props: TagsOfSelectedProps): void => {
  const of = counted(props.secrets.length, 'secret');
  const title = props.change === 'add' ? `Add tags to ${of}` : `Remove tags from ${of}`;
  openDialog({ title, content: <TagsOfSelected {...props} /> });
};

/** The API keys that gain access to one of the secrets; undefined until it is known. */
const useGaining = (secrets: readonly Tagged[], after: (tags: readonly string[]) => string[]) => {
  const changes = [
    ...new Map(
      secrets.map(({ environment, tags }) => [
        [environment, ...tags.toSorted()].join('\n'),
        { environment, before: tags.toSorted() },
      ]),
    ).values(),
  ];
  return useQueries({
    queries: changes.flatMap(({ environment, before }) => [
      tagReadersQuery(environment, before),
      tagReadersQuery(environment, after(before).toSorted()),
    ]),
    combine: (results) => {
      if (results.some(({ data }) => data === undefined)) return undefined;
      const gaining = changes.flatMap((_, index) => {
        const [now, then] = [results[2 * index]?.data ?? [], results[2 * index + 1]?.data ?? []];
        return then.filter((key) => !now.some(({ apiKeyId }) => apiKeyId === key.apiKeyId));
      });
      return [...new Set(gaining.map(({ apiKeyName }) => apiKeyName))];
    },
  });
};

const TagsOfSelected = ({ secrets: selected, change, onFailed }: TagsOfSelectedProps) => {
  const [secrets, setSecrets] = useState(selected);
  const [tags, setTags] = useState<string[]>([]);
  const [confirmed, setConfirmed] = useState(false);
  const isAdding = change === 'add';
  const known = [...new Set(secrets.flatMap((secret) => secret.tags))].sort();
  const after = tagsAfter(change, tags);
  const changed = secrets.filter((secret) => after(secret.tags).length !== secret.tags.length);
  const gaining = useGaining(changed, after);
  const save = async () => {
    try {
      await changeTags(changed, after, confirmed);
    } catch (error) {
      const unchanged = unchangedBy(error, changed);
      onFailed(unchanged.map(({ secretId }) => secretId));
      // Saving again must not replace tags unseen that were set in the meantime.
      setSecrets(await Promise.all(unchanged.map(readAgain)));
      throw error;
    }
    notifyDone(`The tags of ${counted(changed.length, 'secret')} are saved.`);
  };
  const choose = (chosen: string[]) => {
    setTags(chosen);
    setConfirmed(false);
  };
  return (
    <DialogForm
      verb={isAdding ? 'Add' : 'Remove'}
      canSubmit={changed.length > 0 && gaining !== undefined && (gaining.length === 0 || confirmed)}
      action={save}
    >
      {isAdding ? (
        <TagsField value={tags} onChange={choose} />
      ) : (
        <MultiSelect label="Tags" data={known} value={tags} onChange={choose} />
      )}
      <Text c="dimmed" role="status">
        {counted(changed.length, 'secret')} of {secrets.length} will change, one after the other.
      </Text>
      <WideningWarning names={gaining ?? []} confirmed={confirmed} onConfirm={setConfirmed} />
      {!isAdding && tags.length > 0 && (
        <Alert color="amber">API keys that are limited to {tags.join(', ')} can no longer read them.</Alert>
      )}
    </DialogForm>
  );
};
