import { Checkbox, Group, Radio, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { DialogForm, useFields } from '../../components/dialogs/dialog-form.tsx';
import { type ExpiryChoice, expiresAt, lifetimeOf } from './expiry.ts';
import { createKey, type KeyInput, type KeyRow, listsOf, type NewKey } from './key-queries.ts';
import {
  type Chosen,
  chosenBy,
  concerned,
  ExpiryInput,
  KeyScopes,
  MostPrompts,
  requireChosen,
} from './key-scope.tsx';
import { PRESETS } from './trust-presets.ts';

/** The proof of a trust, as it is edited. */
interface TrustChoice {
  readonly preset: string;
  readonly issuer: string;
  /** JSON. */
  readonly match: string;
  /** JSON, or empty. */
  readonly jwks: string;
}

const choose = (preset: string): TrustChoice => {
  const { issuer = '', match = {} } = PRESETS[preset] ?? {};
  return { preset, issuer, match: JSON.stringify(match, null, 2), jwks: '' };
};

/** The first choice of a form. */
const NEW_TRUST = choose('github');

/** The choice of the successor of a trust. */
const trustOf = ({
  issuer = '',
  match,
  jwks,
}: { [Name in 'issuer' | 'match' | 'jwks']?: KeyRow[Name] | undefined }): TrustChoice => ({
  preset: 'other',
  issuer,
  match: JSON.stringify(match ?? {}, null, 2),
  jwks: jwks === undefined ? '' : JSON.stringify({ keys: jwks }),
});

const parsed = (name: string, text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} is not valid JSON.`);
  }
};

/** What is sent of a choice. Throws an error with a sentence for JSON that is not valid. */
const proofOf = ({ issuer, match, jwks }: TrustChoice) => ({
  kind: 'trust' as const,
  issuer: issuer.trim(),
  match: parsed('Claims', match),
  ...(jwks.trim() === '' ? {} : { jwks: parsed('Public keys', jwks) }),
});

interface TrustInputProps {
  readonly value: TrustChoice;
  readonly onChange: (value: TrustChoice) => void;
}

/** Who the callers of a trust are: issuer and claims, from a preset. */
const TrustInput = ({ value, onChange }: TrustInputProps) => (
  <>
    <Select
      label="Callers"
      data={Object.entries(PRESETS).map(([id, { label }]) => ({ value: id, label }))}
      value={value.preset}
      onChange={(preset) => preset !== null && onChange(choose(preset))}
    />
    <TextInput
      label="Issuer"
      description="Exactly as its tokens name it."
      value={value.issuer}
      onChange={(event) => onChange({ ...value, issuer: event.currentTarget.value })}
    />
    <Textarea
      label="Claims"
      description={`A token must have one of the values of each. ${PRESETS[value.preset]?.hint ?? ''}`}
      classNames={{ input: 'cv-mono' }}
      autosize
      minRows={3}
      spellCheck={false}
      value={value.match}
      onChange={(event) => onChange({ ...value, match: event.currentTarget.value })}
    />
    {['kubernetes', 'other'].includes(value.preset) && (
      <Textarea
        label="Public keys (JWK set)"
        description="Only for an issuer that Cuevault cannot reach. They are never refreshed: after a rotation, create another trust."
        classNames={{ input: 'cv-mono' }}
        spellCheck={false}
        value={value.jwks}
        onChange={(event) => onChange({ ...value, jwks: event.currentTarget.value })}
      />
    )}
  </>
);

type Permission = KeyInput['permissions'][number];

const EMPTY = {
  name: '',
  permissions: [] as Permission[],
  lists: listsOf({}),
  chosen: {} as Chosen,
  isTrust: false,
  trust: NEW_TRUST,
  mostPrompts: LIMITS.promptsOfKey as number,
  expires: { expiry: '90', day: '' } as ExpiryChoice,
};

/** What a key is for, and what usually follows from it. All prompts and secrets are never chosen in advance. */
const PURPOSES: readonly { label: string; hint: string; rules: Partial<typeof EMPTY> }[] = [
  {
    label: 'Application',
    hint: 'A service that fetches prompts while it runs.',
    rules: { permissions: ['prompts'], isTrust: false, expires: EMPTY.expires },
  },
  {
    label: 'CI',
    hint: 'A pipeline that compares prompts. It needs no stored key if its platform issues tokens.',
    rules: { permissions: ['compare'], isTrust: true, expires: EMPTY.expires },
  },
  {
    label: 'Notebook',
    hint: 'Somebody who tries things out, for a month.',
    rules: { permissions: ['prompts'], isTrust: false, expires: { expiry: '30', day: '' } },
  },
];

/** The rules of a key, for its successor. */
const rulesOf = (key: KeyRow): typeof EMPTY => ({
  name: key.name,
  permissions: key.permissions,
  lists: listsOf(key),
  chosen: chosenBy(listsOf(key)),
  isTrust: key.kind === 'trust',
  trust: key.kind === 'trust' ? trustOf(key) : NEW_TRUST,
  mostPrompts: key.mostPrompts ?? LIMITS.promptsOfKey,
  expires: lifetimeOf(key, new Date()),
});

interface NewKeyFormProps {
  /** The key that the new one replaces. */
  readonly replaces: KeyRow | undefined;
  readonly onCreated: (created: NewKey) => void;
}

export const NewKeyForm = ({ replaces, onCreated }: NewKeyFormProps) => {
  const form = useFields(replaces === undefined ? EMPTY : rulesOf(replaces));
  const { name, permissions, lists, chosen, isTrust, trust, mostPrompts, expires } = form.values;
  const canCreate =
    name.trim() !== '' && permissions.length > 0 && (expires.expiry !== 'day' || expires.day !== '');
  const [purpose, setPurpose] = useState('');
  // Pressing again sends the same, also when the key expires.
  const [{ requestId, now }] = useState(() => ({ requestId: crypto.randomUUID(), now: new Date() }));
  const create = async () => {
    requireChosen(permissions, lists, chosen);
    const until = expiresAt(expires, now);
    const input = {
      requestId,
      name: name.trim(),
      permissions,
      ...(isTrust && proofOf(trust)),
      ...concerned(permissions, lists),
      ...(permissions.includes('publish') && mostPrompts !== LIMITS.promptsOfKey && { mostPrompts }),
      ...(replaces && { replaces: replaces.keyId }),
    };
    onCreated(await createKey({ ...input, ...(until && { expiresAt: until }) }));
  };
  return (
    <DialogForm verb="Create" canSubmit={canCreate} action={create}>
      {replaces === undefined && (
        <Radio.Group
          label="What for"
          value={purpose}
          onChange={(next) => {
            setPurpose(next);
            form.set(PURPOSES.find(({ label }) => label === next)?.rules ?? {});
          }}
        >
          <Stack gap={6} mt={6}>
            {PURPOSES.map(({ label, hint }) => (
              <Radio key={label} value={label} label={label} description={hint} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <TextInput
        label="Name"
        description="What will use it."
        {...form.text('name')}
        maxLength={128}
        data-autofocus
      />
      {replaces === undefined && (
        <Switch
          label="No stored key: callers prove who they are with a token of their platform"
          {...form.check('isTrust')}
        />
      )}
      {isTrust && <TrustInput {...form.field('trust')} />}
      <Checkbox.Group
        label="Permissions"
        value={permissions}
        onChange={(values) => form.set({ permissions: values as Permission[] })}
      >
        <Group gap="lg" mt={6}>
          <Checkbox value="prompts" label="Fetch prompts" />
          <Checkbox value="secrets" label="Read secrets" />
          <Checkbox value="publish" label="Publish prompts from code" />
          <Checkbox value="compare" label="Compare prompts in pull requests" />
        </Group>
      </Checkbox.Group>
      <KeyScopes
        {...{ permissions, lists, chosen }}
        onChange={form.field('lists').onChange}
        onChoose={form.field('chosen').onChange}
      />
      <MostPrompts permissions={permissions} {...form.field('mostPrompts')} />
      <ExpiryInput {...form.field('expires')} />
    </DialogForm>
  );
};
