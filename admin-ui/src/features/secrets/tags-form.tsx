import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isRefusal } from '../../api/api-error.ts';
import { DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { replaceTags } from './secret-changes.ts';
import { currentSecret, type Secret, secretQuery } from './secret-queries.ts';
import { TagReaders, useNewReaders, WideningWarning } from './tag-readers.tsx';
import { TagsField } from './tags-field.tsx';

const listed = (tags: readonly string[]): string => (tags.length === 0 ? 'no tags' : tags.join(', '));

/** Changes the tags of a secret. */
export const TagsForm = ({ secret }: { readonly secret: Secret }) => {
  const [tags, setTags] = useState(secret.tags);
  // Not the current ones: tags that were set in the meantime must not be replaced unseen.
  const [seen, setSeen] = useState(secret.tags);
  const { data } = useQuery(secretQuery(secret.secretId));
  const readers = data?.readers.filter(({ allowed }) => allowed).map(({ apiKeyId }) => apiKeyId);
  const gaining = useNewReaders(tags, readers ?? []);
  const [confirmed, setConfirmed] = useState(false);
  const removed = seen.filter((tag) => !tags.includes(tag));
  const save = async () => {
    try {
      await replaceTags(secret.secretId, tags, seen, confirmed);
    } catch (error) {
      if (isRefusal(error, 'changed_meanwhile')) setSeen((await currentSecret(secret.secretId)).tags);
      throw error;
    }
  };
  return (
    <DialogForm
      verb="Save"
      canSubmit={readers !== undefined && (gaining.length === 0 || confirmed)}
      action={save}
      done={`The tags of ${secret.key} are saved.`}
      hint={(refusal) =>
        isRefusal(refusal, 'changed_meanwhile') &&
        ` It has ${listed(seen)} now; save again to replace this with ${listed(tags)}.`
      }
    >
      <TagsField
        value={tags}
        onChange={(chosen) => {
          setTags(chosen);
          setConfirmed(false);
        }}
      />
      <TagReaders tags={tags} />
      {readers !== undefined && (
        <WideningWarning names={gaining} confirmed={confirmed} onConfirm={setConfirmed} />
      )}
      {removed.length > 0 && (
        <Alert color="amber">
          API keys that are limited to {removed.join(', ')} can no longer read this secret.
        </Alert>
      )}
    </DialogForm>
  );
};
