import { Alert, MultiSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readsSecret } from '../../../../contract/fields/reads-secret.ts';
import { isRefusal } from '../../api/api-error.ts';
import { counted } from '../../components/count.ts';
import { DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { tagsAfter, unchangedBy } from '../../components/several.ts';
import { changeTags, type Named } from './secret-changes.ts';
import { currentSecret, readersQuery, type Secret } from './secret-queries.ts';
import { TagReaders, WideningWarning } from './tag-readers.tsx';
import { TagsField } from './tags-field.tsx';

type Tagged = Named & Pick<Secret, 'tags'>;

export interface TagsFormProps {
  readonly secrets: readonly Tagged[];
  /** Whether tags are added, removed, or set as all tags of one secret. */
  readonly change: 'add' | 'remove' | 'set';
  /** Gets the secrets that could not be changed. */
  readonly onFailed?: (secretIds: readonly string[]) => void;
}

const VERBS = { add: 'Add', remove: 'Remove', set: 'Save' };

/** The secret as it is now, or as it was if that cannot be read, such as after a deletion. */
const readAgain = (secret: Tagged): Promise<Tagged> => currentSecret(secret).catch(() => secret);

const shown = (tags: readonly string[]): string => (tags.length === 0 ? 'no tags' : tags.join(', '));

const isChanged = (before: readonly string[], after: readonly string[]): boolean =>
  before.toSorted().join('\n') !== after.toSorted().join('\n');

/** The form of a dialog that changes the tags of secrets. */
export const TagsForm = ({ secrets: selected, change, onFailed }: TagsFormProps) => {
  // Not the current ones: tags that were set in the meantime must not be replaced unseen.
  const [secrets, setSecrets] = useState(selected);
  const known = [...new Set(secrets.flatMap((secret) => secret.tags))].sort();
  const [tags, setTags] = useState<string[]>(change === 'set' ? known : []);
  const [confirmed, setConfirmed] = useState(false);
  const after = change === 'set' ? () => tags : tagsAfter(change, tags);
  const changed = secrets.filter((secret) => isChanged(secret.tags, after(secret.tags)));
  const gaining = (useQuery(readersQuery).data ?? []).flatMap((key) =>
    changed.some((each) => !readsSecret(key, each) && readsSecret(key, { ...each, tags: after(each.tags) }))
      ? [key.name]
      : [],
  );
  const lost = known.filter((tag) =>
    changed.some(({ tags: own }) => own.includes(tag) && !after(own).includes(tag)),
  );
  const save = async () => {
    try {
      await changeTags(changed, after, confirmed);
    } catch (error) {
      const unchanged = unchangedBy(error, changed);
      onFailed?.(unchanged.map(({ secretId }) => secretId));
      setSecrets(await Promise.all(unchanged.map(readAgain)));
      throw error;
    }
  };
  const choose = (chosen: string[]) => {
    setTags(chosen);
    setConfirmed(false);
  };
  return (
    <DialogForm
      verb={VERBS[change]}
      canSubmit={changed.length > 0 && (gaining.length === 0 || confirmed)}
      action={save}
      done={`The tags of ${counted(changed.length, 'secret')} are saved.`}
      hint={(refusal) =>
        change === 'set' &&
        isRefusal(refusal, 'changed_meanwhile') &&
        ` It has ${shown(known)} now; save again to replace this with ${shown(tags)}.`
      }
    >
      {change === 'remove' ? (
        <MultiSelect label="Tags" data={known} value={tags} onChange={choose} />
      ) : (
        <TagsField value={tags} onChange={choose} />
      )}
      {change === 'set' ? (
        <TagReaders environments={secrets.map(({ environment }) => environment)} tags={tags} />
      ) : (
        <Text c="dimmed" role="status">
          {counted(changed.length, 'secret')} of {secrets.length} will change, one after the other.
        </Text>
      )}
      <WideningWarning names={gaining} confirmed={confirmed} onConfirm={setConfirmed} />
      {lost.length > 0 && (
        <Alert color="amber">
          API keys that are limited to {lost.join(', ')} can no longer read{' '}
          {change === 'set' ? 'this secret' : 'them'}.
        </Alert>
      )}
    </DialogForm>
  );
};
