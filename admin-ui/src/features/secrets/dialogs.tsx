import { Alert, Checkbox, Group, MultiSelect, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DEFAULT_ENVIRONMENT } from '../../../../contract/fields/patterns.ts';
import { readsSecret } from '../../../../contract/fields/reads-secret.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { isRefusal } from '../../api/api-error.ts';
import { Muted } from '../../components/basics.tsx';
import {
  DialogForm,
  LeaveGuard,
  notifyDone,
  openDialog,
  useConfirmation,
  useFields,
} from '../../components/dialogs.tsx';
import { EnvironmentMark, useEnvironments } from '../../components/environments.tsx';
import { counted } from '../../components/locale.ts';
import { tagsAfter } from '../../components/several.ts';
import { NameWarning } from './name-warning.tsx';
import { RecentReaders } from './readers.tsx';
import { rotationAfter } from './rotation.ts';
import {
  changeTags,
  createSecret,
  currentSecret,
  type Replacement,
  readersQuery,
  replaceValue,
  type Secret,
  sameKeyQuery,
  type Tagged,
} from './secret-queries.ts';
import { TagReaders, TagsField, WideningWarning } from './tag-readers.tsx';
import { faultOf, ValueInput } from './value-input.tsx';

interface EnvironmentsFieldProps {
  environments: readonly string[];
  value: readonly string[];
  onChange: (environments: string[]) => void;
}

/** Chooses the environments that get a value; nothing to choose if there is only one. */
const EnvironmentsField = ({ environments, value, onChange }: EnvironmentsFieldProps) =>
  environments.length < 2 ? null : (
    <Checkbox.Group
      label="Environments"
      description="The value is stored in each of them, as a change of its own."
      value={[...value]}
      onChange={onChange}
    >
      <Group gap="sm" mt={6}>
        {environments.map((name) => (
          <Checkbox key={name} value={name} aria-label={name} label={<EnvironmentMark name={name} />} />
        ))}
      </Group>
    </Checkbox.Group>
  );

/** What the form for a new secret begins with. */
interface NewSecretStart {
  readonly environment?: string;
  readonly secretKey?: string;
  readonly startTags?: readonly string[];
}

const NewSecretForm = ({ environment, secretKey = '', startTags = [] }: NewSecretStart) => {
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
    await createSecret(environments, { key, value, tags }, (left) => form.set({ environments: [...left] }));
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

interface TagsFormProps {
  secrets: readonly Tagged[];
  /** Whether tags are added, removed, or set as all tags of one secret. */
  change: 'add' | 'remove' | 'set';
  /** Gets the secrets that could not be changed. */
  onFailed?: (secretIds: readonly string[]) => void;
}

const VERBS = { add: 'Add', remove: 'Remove', set: 'Save' };

/** The secret as it is now, or as it was if that cannot be read, such as after a deletion. */
const readAgain = (secret: Tagged): Promise<Tagged> => currentSecret(secret).catch(() => secret);

const shown = (tags: readonly string[]): string => (tags.length === 0 ? 'no tags' : tags.join(', '));

const isChanged = (before: readonly string[], after: readonly string[]): boolean =>
  before.toSorted().join('\n') !== after.toSorted().join('\n');

/** The form of a dialog that changes the tags of secrets. */
const TagsForm = ({ secrets: selected, change, onFailed }: TagsFormProps) => {
  // Not the current ones: tags that were set in the meantime must not be replaced unseen.
  const [secrets, setSecrets] = useState(selected);
  const known = [...new Set(secrets.flatMap((secret) => secret.tags))].sort();
  const [tags, setTags] = useState<string[]>(change === 'set' ? known : []);
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
  const [confirmed, confirm] = useConfirmation(JSON.stringify([gaining, changed, tags]));
  const save = () =>
    changeTags(changed, after, confirmed, async (unchanged) => {
      onFailed?.(unchanged.map(({ secretId }) => secretId));
      setSecrets(await Promise.all(unchanged.map(readAgain)));
    });
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
        <MultiSelect label="Tags" data={known} value={tags} onChange={setTags} />
      ) : (
        <TagsField value={tags} onChange={setTags} />
      )}
      {change === 'set' ? (
        <TagReaders environments={secrets.map(({ environment }) => environment)} tags={tags} />
      ) : (
        <Muted role="status">
          {counted(changed.length, 'secret')} of {secrets.length} will change, one after the other.
        </Muted>
      )}
      <WideningWarning names={gaining} confirmed={confirmed} onConfirm={confirm} />
      {lost.length > 0 && (
        <Alert>
          API keys that are limited to {lost.join(', ')} can no longer read{' '}
          {change === 'set' ? 'this secret' : 'them'}.
        </Alert>
      )}
    </DialogForm>
  );
};

const nextRotation = ({ changedAt, rotateBy }: Secret): string | undefined =>
  rotateBy && rotationAfter(changedAt, rotateBy, new Date());

const ValueForm = ({ secret, hasLeaked }: { secret: Secret; hasLeaked: boolean }) => {
  const [value, setValue] = useState('');
  const same = useQuery(sameKeyQuery(secret.key));
  // Until they are read again after a failure: a value that was set in the meantime must not be replaced unseen.
  const [own, setOwn] = useState(secret);
  // Somebody else may have deleted it: what was typed stays, and saving says so.
  const others = (same.data ?? []).filter(({ environment }) => environment !== own.environment);
  const all: readonly Secret[] = same.data?.some(({ environment }) => environment === own.environment)
    ? same.data.map((each) => (each.environment === own.environment ? own : each))
    : [own, ...others];
  const [chosen, setChosen] = useState<readonly string[]>([secret.environment]);
  const [rotateBy, setRotateBy] = useState(() => nextRotation(secret));
  const canSave = value !== '' && faultOf(value) === undefined && chosen.length > 0;
  const save = async () => {
    const targets = all.flatMap((each): Replacement[] => {
      const { environment, secretId, number } = each;
      const isOwn = secretId === own.secretId;
      const next = isOwn ? rotateBy : nextRotation(each);
      return chosen.includes(environment)
        ? [{ environment, secretId, number, rotateBy: next, hasLeaked: hasLeaked && isOwn }]
        : [];
    });
    await replaceValue(targets, value, async (unchanged) => {
      setChosen(unchanged.map(({ environment }) => environment));
      const { data = [] } = await same.refetch();
      setOwn(data.find(({ secretId }) => secretId === own.secretId) ?? own);
    });
    setValue('');
    notifyDone(`${secret.key} has a new value${targets.length > 1 ? ` in ${chosen.join(', ')}` : ''}.`);
  };
  return (
    <DialogForm
      verb="Save the value"
      canSubmit={canSave}
      action={save}
      hint={(refusal) =>
        isRefusal(refusal, 'changed_meanwhile') && ` v${own.number} is current now; save again to replace it.`
      }
    >
      <Text>Applications get it with their next read. v{own.number} is kept, so that you can go back.</Text>
      {hasLeaked && (
        <Alert color="brick">
          Disable the credential in v{own.number} where it was issued: saving records that it is disabled.
        </Alert>
      )}
      <RecentReaders secret={secret} outcome="get the new value" />
      <EnvironmentsField
        environments={all.map(({ environment }) => environment)}
        value={chosen}
        onChange={setChosen}
      />
      <ValueInput label="New value" value={value} onChange={setValue} autoFocus />
      {rotateBy !== undefined && (
        <TextInput
          type="date"
          label="Rotate again by"
          value={rotateBy}
          onChange={(event) => setRotateBy(event.currentTarget.value)}
          w={220}
        />
      )}
      <LeaveGuard when={value !== ''} />
    </DialogForm>
  );
};

export const openNewSecret = (start: NewSecretStart = {}): void =>
  openDialog({ title: 'New secret', holdsInput: true, content: <NewSecretForm {...start} /> });

const TITLES = { add: 'Add tags to', remove: 'Remove tags from', set: 'Tags of' };

export const openTags = (props: TagsFormProps): void => {
  const [first] = props.secrets;
  const of = props.change === 'set' && first ? first.key : counted(props.secrets.length, 'secret');
  openDialog({ title: `${TITLES[props.change]} ${of}`, content: <TagsForm {...props} /> });
};

/** `hasLeaked` says that the current value has. */
export const openNewValue = (secret: Secret, hasLeaked = false): void =>
  openDialog({
    title: `New value of ${secret.key}`,
    holdsInput: true,
    content: <ValueForm secret={secret} hasLeaked={hasLeaked} />,
  });
