import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { DEFAULT_ENVIRONMENT } from '../../../../contract/fields/patterns.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { LeaveGuard } from '../../components/dialogs/leave-guard.tsx';
import { useEnvironments } from '../../components/environments.tsx';
import { unchangedBy } from '../../components/several.ts';
import { EnvironmentsField } from './environments-field.tsx';
import { NameWarning } from './name-warning.tsx';
import { createSecret } from './secret-changes.ts';
import { TagReaders } from './tag-readers.tsx';
import { TagsField } from './tags-field.tsx';
import { faultOf, ValueInput } from './values/value-input.tsx';

/** What the form for a new secret begins with. */
export interface NewSecretStart {
  readonly environment?: string;
  readonly secretKey?: string;
  readonly startTags?: readonly string[];
}

export const NewSecretForm = ({
  environment = DEFAULT_ENVIRONMENT,
  secretKey = '',
  startTags = [],
}: NewSecretStart) => {
  const known = useEnvironments();
  const [environments, setEnvironments] = useState<readonly string[]>([environment]);
  const [key, setKey] = useState(secretKey);
  const [value, setValue] = useState('');
  const [tags, setTags] = useState([...startTags]);
  const canSave = environments.length > 0 && key !== '' && value !== '' && faultOf(value) === undefined;
  const save = async () => {
    try {
      await createSecret(environments, { key, value, tags });
    } catch (error) {
      setEnvironments(unchangedBy(error, environments));
      throw error;
    }
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
        data-autofocus={secretKey === '' || undefined}
      />
      <NameWarning name={key} />
      <EnvironmentsField
        environments={known.map(({ name }) => name)}
        value={environments}
        onChange={setEnvironments}
      />
      <ValueInput label="Value" value={value} onChange={setValue} autoFocus={secretKey !== ''} />
      <TagsField value={tags} onChange={setTags} />
      <TagReaders environments={environments} tags={tags} />
      <LeaveGuard when={key !== secretKey || value !== ''} />
    </DialogForm>
  );
};
