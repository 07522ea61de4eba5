import { Alert, Modal } from '@mantine/core';
import { useState } from 'react';
import { isRefusal } from '../../api/api-error.ts';
import { queryClient } from '../../api/query-client.ts';
import { DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { notifyDone } from '../../components/dialogs/notify.tsx';
import { replaceTags } from './secret-changes.ts';
import { type Secret, secretQuery } from './secret-queries.ts';
import { TagsField } from './tags-field.tsx';

interface TagsDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly secret: Secret;
}

/** A dialog that changes the tags of a secret. */
export const TagsDialog = ({ opened, onClose, secret }: TagsDialogProps) => (
  <Modal opened={opened} onClose={onClose} title={`Tags of ${secret.key}`}>
    <TagsForm secret={secret} onClose={onClose} />
  </Modal>
);

const listed = (tags: readonly string[]): string => (tags.length === 0 ? 'no tags' : tags.join(', '));

const TagsForm = ({ secret, onClose }: Omit<TagsDialogProps, 'opened'>) => {
  const [tags, setTags] = useState(secret.tags);
  // Not the current ones: tags that were set in the meantime must not be replaced unseen.
  const [seen, setSeen] = useState(secret.tags);
  const removed = seen.filter((tag) => !tags.includes(tag));
  const look = async () => {
    const current = await queryClient.fetchQuery({ ...secretQuery(secret.secretId), staleTime: 0 });
    setSeen(current.secret.tags);
  };
  const save = async () => {
    try {
      await replaceTags(secret.secretId, tags, seen);
    } catch (error) {
      if (isRefusal(error, 'changed_meanwhile')) await look();
      throw error;
    }
    notifyDone(`The tags of ${secret.key} are saved.`);
    onClose();
  };
  return (
    <DialogForm
      verb="Save"
      action={save}
      onCancel={onClose}
      hint={(refusal) =>
        isRefusal(refusal, 'changed_meanwhile') &&
        ` By now it has ${listed(seen)}; save again to replace that by ${listed(tags)}.`
      }
    >
      <TagsField value={tags} onChange={setTags} />
      {removed.length > 0 && (
        <Alert color="amber">
          API keys that are limited to {removed.join(', ')} will not see this secret any more.
        </Alert>
      )}
    </DialogForm>
  );
};
