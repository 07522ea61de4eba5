import { TextInput } from '@mantine/core';
import { DEFAULT_ENVIRONMENT } from '../../../../contract/fields/patterns.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { LeaveGuard } from '../../components/dialogs/leave-guard.tsx';
import { useFields } from '../../components/dialogs/use-fields.ts';
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

export const NewSecretForm = ({ environment, secretKey = '', startTags = [] }: NewSecretStart) => {
  const known = useEnvironments().map(({ name }) => name);
  const form = useFields({
    // With several, the operator says which.
    environments: environment ? [environment] : known.length > 1 ? [] : [DEFAULT_ENVIRONMENT],
    key: secretKey,
    value: '',
    tags: [...startTags],
  });
  const { environments, key, value, tags } = form.values;
  const canSave = environments.length > 0 && key !== '' && value !== '' && faultOf(value) === undefined;
  const save = async () => {
    try {
      await createSecret(environments, { key, value, tags });
    } catch (error) {
      form.set({ environments: [...unchangedBy(error, environments)] });
      throw error;
    }
    form.set({ value: '' });
  };
  return (
    <DialogForm verb="Save" canSubmit={canSave} action={save} done={`${key} is saved.`}>
      <TextInput
        label="Key"
        description="Applications read the secret by it, usually the name of an environment variable."
        placeholder="DATABASE_URL"
        {...form.text('key')}
        maxLength={LIMITS.secretKeyBytes}
        classNames={{ input: 'cv-mono' }}
        autoCapitalize="off"
        spellCheck={false}
        data-autofocus={secretKey === '' || undefined}
      />
      <NameWarning name={key} />
      <EnvironmentsField environments={known} {...form.field('environments')} />
      <ValueInput label="Value" {...form.field('value')} autoFocus={secretKey !== ''} />
      <TagsField {...form.field('tags')} />
      <TagReaders environments={environments} tags={tags} />
      <LeaveGuard when={form.isChanged} />
    </DialogForm>
  );
};
