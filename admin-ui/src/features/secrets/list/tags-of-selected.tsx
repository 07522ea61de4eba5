import { Alert, Checkbox, Modal, MultiSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { isRefusal } from '../../../api/api-error.ts';
import { useRole } from '../../../api/session-context.tsx';
import { counted } from '../../../components/count.ts';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { changeTags } from '../secret-changes.ts';
import type { SecretRow } from '../secret-queries.ts';
import { PartlyDone } from '../several.ts';
import { TagsField } from '../tags-field.tsx';

interface TagsOfSelectedProps {
  readonly secrets: readonly SecretRow[];
  readonly change: 'add' | 'remove';
  /** Selects these secrets, which could not be changed. */
  readonly onFailed: (secretIds: readonly string[]) => void;
  readonly onClose: () => void;
}

const wouldWiden = (error: unknown): boolean =>
  error instanceof PartlyDone
    ? error.failures.some((failure) => isRefusal(failure.error, 'would_widen_access'))
    : isRefusal(error, 'would_widen_access');

/** A dialog that adds tags to several secrets, or removes tags from them. */
export const TagsOfSelected = ({ secrets, change, onFailed, onClose }: TagsOfSelectedProps) => {
  const [tags, setTags] = useState<string[]>([]);
  const [confirmed, setConfirmed] = useState(false);
  const { can } = useRole();
  const isAdding = change === 'add';
  const known = [...new Set(secrets.flatMap((secret) => secret.tags))].sort();
  const tagsAfter = (before: readonly string[]): string[] =>
    isAdding ? [...new Set([...before, ...tags])] : before.filter((tag) => !tags.includes(tag));
  const changed = secrets.filter((secret) => tagsAfter(secret.tags).length !== secret.tags.length);
  const save = async () => {
    try {
      await changeTags(changed, tagsAfter, confirmed);
    } catch (error) {
      if (error instanceof PartlyDone) onFailed(error.failures.map(({ secret }) => secret.secretId));
      throw error;
    }
    notifyDone(`The tags of ${counted(changed.length, 'secret')} are saved.`);
    onClose();
  };
  const of = counted(secrets.length, 'secret');
  return (
    <Modal opened onClose={onClose} title={isAdding ? `Add tags to ${of}` : `Remove tags from ${of}`}>
      <DialogForm
        verb={isAdding ? 'Add' : 'Remove'}
        canSubmit={changed.length > 0}
        action={save}
        onCancel={onClose}
        hint={(refusal) =>
          wouldWiden(refusal) &&
          can('admin') && (
            <Checkbox
              mt="xs"
              label="Let them read it"
              checked={confirmed}
              onChange={(event) => setConfirmed(event.currentTarget.checked)}
            />
          )
        }
      >
        {isAdding ? (
          <TagsField value={tags} onChange={setTags} />
        ) : (
          <MultiSelect label="Tags" data={known} value={tags} onChange={setTags} />
        )}
        <Text size="sm" c="dimmed" role="status">
          {counted(changed.length, 'secret')} of {secrets.length} will change, one after the other.
        </Text>
        {tags.length > 0 && (
          <Alert color="amber">
            {isAdding
              ? `API keys that are limited to ${tags.join(', ')} may see them from the next read on.`
              : `API keys that are limited to ${tags.join(', ')} can no longer read them.`}
          </Alert>
        )}
      </DialogForm>
    </Modal>
  );
};
