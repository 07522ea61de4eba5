import { MultiSelect, TagsInput, Text } from '@mantine/core';
import { useState } from 'react';
import { LIMITS } from '../../../../../contract/limits.ts';
import { counted } from '../../../components/count.ts';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { tagsAfter, unchangedBy } from '../../../components/several.ts';
import { contentOf, readContent } from '../editor/content.ts';
import { publishWithTags } from '../prompt-changes.ts';
import type { PromptRow } from '../prompt-queries.ts';

interface TagsOfPromptsProps {
  readonly prompts: readonly PromptRow[];
  readonly change: 'add' | 'remove';
  readonly known: readonly string[];
  readonly onDone: () => void;
  /** Selects the prompts that are unchanged. */
  readonly onFailed: (promptIds: readonly string[]) => void;
}

/** Adds tags to several prompts, or removes tags from them: in a new version of each. */
export const TagsOfPrompts = ({ prompts: selected, change, known, onDone, onFailed }: TagsOfPromptsProps) => {
  const [prompts, setPrompts] = useState(selected);
  const [tags, setTags] = useState<string[]>([]);
  const isAdding = change === 'add';
  const after = tagsAfter(change, tags);
  const changed = prompts.filter((prompt) => after(prompt.tags).length !== prompt.tags.length);
  const save = async () => {
    const note = `${isAdding ? 'Add' : 'Remove'} tags: ${tags.join(', ')}`;
    try {
      await publishWithTags(
        changed,
        (latest) => readContent({ ...contentOf(latest), tags: after(latest.tags), note }).body,
      );
    } catch (error) {
      const unchanged = unchangedBy(error, changed);
      setPrompts(unchanged);
      onFailed(unchanged.map(({ promptId }) => promptId));
      throw error;
    }
    notifyDone(`The tags of ${counted(changed.length, 'prompt')} are saved.`);
    onDone();
  };
  const field = { label: 'Tags', value: tags, onChange: setTags, 'data-autofocus': true };
  return (
    <DialogForm verb={isAdding ? 'Add' : 'Remove'} canSubmit={changed.length > 0} action={save}>
      {isAdding ? (
        <TagsInput {...field} data={[...known]} maxTags={LIMITS.tags} openOnFocus={false} />
      ) : (
        <MultiSelect {...field} data={[...new Set(prompts.flatMap((prompt) => prompt.tags))].sort()} />
      )}
      <Text c="dimmed" role="status">
        {counted(changed.length, 'prompt')} of {prompts.length} will change, one after the other.
      </Text>
      <Text c="dimmed">
        Tags belong to a version, and versions never change: each prompt gets a new patch version with the
        same text. Labels stay where they are.
      </Text>
    </DialogForm>
  );
};
