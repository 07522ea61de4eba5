import { MultiSelect, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { LIMITS } from '../../../../../contract/limits.ts';
import { Muted } from '../../../components/basics.tsx';
import { DialogForm, FIRST_FIELD, notifyDone } from '../../../components/dialogs.tsx';
import { counted } from '../../../components/locale.ts';
import { authored } from '../../../components/prompt-content.ts';
import { changeSeveral, type Kind, tagsAfter } from '../../../components/several.ts';
import { type PromptRow, publishVersion, readStart } from '../prompt-queries.ts';

const KIND: Kind<PromptRow> = { one: 'prompt', nameOf: ({ name }) => name };

interface TagsOfPromptsProps {
  prompts: readonly PromptRow[];
  change: 'add' | 'remove';
  known: readonly string[];
  /** Selects other prompts: those that are unchanged. */
  select: (promptIds: readonly string[]) => void;
}

/** Adds tags to several prompts, or removes tags from them: in a new patch version of each. */
export const TagsOfPrompts = ({ prompts: selected, change, known, select }: TagsOfPromptsProps) => {
  const [prompts, setPrompts] = useState(selected);
  const [tags, setTags] = useState<string[]>([]);
  const isAdding = change === 'add';
  const after = tagsAfter(change, tags);
  const changed = prompts.filter((prompt) => after(prompt.tags).length !== prompt.tags.length);
  const note = `${isAdding ? 'Add' : 'Remove'} tags: ${tags.join(', ')}`;
  const changeOne = async ({ promptId }: PromptRow) => {
    // As it is now: the list may be old, and trying again must not fail for the same reason.
    const { prompt, latest } = await readStart(promptId);
    const content = { ...authored(latest), tags: after(latest.tags), note };
    await publishVersion(promptId, { ...content, bump: 'patch', rev: prompt.rev });
  };
  const save = async () => {
    await changeSeveral(KIND, changed, changeOne, (unchanged) => {
      setPrompts(unchanged);
      select(unchanged.map(({ promptId }) => promptId));
    });
    notifyDone(`The tags of ${counted(changed.length, 'prompt')} are saved.`);
    select([]);
  };
  const field = { label: 'Tags', value: tags, onChange: setTags, ...FIRST_FIELD };
  return (
    <DialogForm verb={isAdding ? 'Add' : 'Remove'} canSubmit={changed.length > 0} action={save}>
      {isAdding ? (
        <TagsInput {...field} data={[...known]} maxTags={LIMITS.tags} openOnFocus={false} />
      ) : (
        <MultiSelect {...field} data={[...new Set(prompts.flatMap((prompt) => prompt.tags))].sort()} />
      )}
      <Muted role="status">
        {counted(changed.length, 'prompt')} of {prompts.length} will change, one after the other.
      </Muted>
      <Muted>Each prompt gets a new patch version with the same text. Labels stay where they are.</Muted>
    </DialogForm>
  );
};
