import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { LeaveGuard } from '../../components/dialogs/leave-guard.tsx';
import { NameWarning } from './name-warning.tsx';
import { createSecret } from './secret-changes.ts';
import { TagReaders } from './tag-readers.tsx';
import { TagsField } from './tags-field.tsx';
import { faultOf, ValueInput } from './values/value-input.tsx';

export const NewSecretForm = () => {
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const [tags, setTags] = useState<string[]>([]);
  const canSave = key !== '' && value !== '' && faultOf(value) === undefined;
  const save = async () => {
    await createSecret(key, value, tags);
    setValue('');
  };
  return (
    <DialogForm verb="Save" canSubmit={canSave} action={save} done={`${key} is saved.`}>
      <TextInput
        label="Key"
        description="Applications read the secret by it, usually the name of an environment variable."
        placeholder="DATABASE_URL"
        value={key}
        onChange={(event) => setKey(event.currentTarget.value)}
        maxLength={LIMITS.secretKeyBytes}
        classNames={{ input: 'cv-mono' }}
        autoCapitalize="off"
        spellCheck={false}
        data-autofocus
      />
      <NameWarning name={key} />
      <ValueInput label="Value" value={value} onChange={setValue} />
      <TagsField value={tags} onChange={setTags} />
      <TagReaders tags={tags} />
      <LeaveGuard when={key !== '' || value !== ''} />
    </DialogForm>
  );
};
