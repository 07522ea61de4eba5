import { Checkbox, Group, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { EXPIRIES, expiresAt, lifetimeOf } from './expiry.ts';
import { ExpiryInput } from './expiry-input.tsx';
import { createKey, type KeyInput, type KeyRow, type NewKey } from './key-queries.ts';
import { concernsPrompts, KeyScopes } from './key-scope.tsx';

type Permission = KeyInput['permissions'][number];

const EMPTY = {
  name: '',
  permissions: ['prompts'] as Permission[],
  prompts: [] as string[],
  tags: [] as string[],
  labels: [] as string[],
  cidrs: [] as string[],
  expiry: 'never',
  day: '',
};

/** The rules of a key, for its successor. */
const rulesOf = ({ name, permissions, prompts, tags, labels = [], cidrs, ...key }: KeyRow): typeof EMPTY => ({
  ...{ name, permissions, prompts, tags, labels, cidrs },
  ...{ expiry: lifetimeOf(key), day: '' },
});

interface NewKeyFormProps {
  /** The key that the new one replaces. */
  readonly replaces: KeyRow | undefined;
  readonly onCreated: (created: NewKey) => void;
}

/** Name, permissions, restriction and expiry of a new key. */
export const NewKeyForm = ({ replaces, onCreated }: NewKeyFormProps) => {
  const [form, setForm] = useState(replaces === undefined ? EMPTY : rulesOf(replaces));
  const set = (change: Partial<typeof EMPTY>) => setForm({ ...form, ...change });
  const { name, permissions, prompts, tags, labels, cidrs, expiry, day } = form;
  const canCreate = name.trim() !== '' && permissions.length > 0 && (expiry !== 'day' || day !== '');
  const create = async () => {
    const until = expiresAt(expiry, day, new Date());
    const input = {
      name: name.trim(),
      permissions,
      prompts: concernsPrompts(permissions) ? prompts : [],
      tags: permissions.includes('secrets') ? tags : [],
      labels: permissions.includes('publish') ? labels : [],
      cidrs,
      ...(replaces && { replaces: replaces.keyId }),
    };
    onCreated(await createKey({ ...input, ...(until && { expiresAt: until }) }));
  };
  return (
    <DialogForm verb="Create" canSubmit={canCreate} action={create}>
      <TextInput
        label="Name"
        description="The application that will use it."
        value={name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        maxLength={128}
        data-autofocus
      />
      <Checkbox.Group
        label="Can"
        value={permissions}
        onChange={(values) => set({ permissions: values as Permission[] })}
      >
        <Group gap="lg" mt={6}>
          <Checkbox value="prompts" label="Fetch prompts" />
          <Checkbox value="secrets" label="Read secrets" />
          <Checkbox value="publish" label="Publish prompts from code" />
        </Group>
      </Checkbox.Group>
      <KeyScopes {...{ permissions, prompts, labels, tags }} onChange={set} />
      <TagsInput
        label="Addresses"
        description="Address ranges that can use the key, such as 203.0.113.0/24. Leave it empty to allow any address."
        placeholder={cidrs.length === 0 ? 'Type one and press Enter' : ''}
        value={cidrs}
        onChange={(next) => set({ cidrs: next })}
      />
      <ExpiryInput expiry={expiry} day={day} options={EXPIRIES} onChange={set} />
    </DialogForm>
  );
};
