import { Checkbox, Group, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { useFields } from '../../components/dialogs/use-fields.ts';
import { type ExpiryChoice, expiresAt, lifetimeOf } from './expiry.ts';
import { ExpiryInput } from './expiry-input.tsx';
import { createKey, type KeyInput, type KeyRow, listsOf, type NewKey } from './key-queries.ts';
import { type Chosen, chosenBy, concerned, KeyScopes, MostPrompts, requireChosen } from './key-scope.tsx';
import { NEW_TRUST, proofOf, TrustInput, trustOf } from './trust-input.tsx';

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
