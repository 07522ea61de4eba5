import { Checkbox, Group, Select, TagsInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { counted } from '../../components/count.ts';
import { DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { EXPIRIES, expiresAt, localDay } from './expiry.ts';
import { createKey, type KeyInput, type NewKey, scopeQuery, secretTagsQuery } from './key-queries.ts';

type Permission = KeyInput['permissions'][number];

const EMPTY = {
  name: '',
  permissions: ['prompts'] as Permission[],
  tags: [] as string[],
  cidrs: [] as string[],
  expiry: 'never',
  day: '',
};

interface NewKeyFormProps {
  readonly onCreated: (created: NewKey) => void;
  readonly onCancel: () => void;
}

/** Name, permissions, restriction and expiry of a new key. */
export const NewKeyForm = ({ onCreated, onCancel }: NewKeyFormProps) => {
  const [form, setForm] = useState(EMPTY);
  const set = (change: Partial<typeof EMPTY>) => setForm({ ...form, ...change });
  const { name, permissions, tags, cidrs, expiry, day } = form;
  const canCreate = name.trim() !== '' && permissions.length > 0 && (expiry !== 'day' || day !== '');
  const create = async () => {
    const until = expiresAt(expiry, day, new Date());
    const restriction = permissions.includes('secrets') ? tags : [];
    const input = { name: name.trim(), permissions, tags: restriction, cidrs };
    onCreated(await createKey({ ...input, ...(until && { expiresAt: until }) }));
  };
  return (
    <DialogForm verb="Create" canSubmit={canCreate} action={create} onCancel={onCancel}>
      <TextInput
        label="Name"
        description="The application that will use it."
        value={name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        maxLength={128}
        autoComplete="off"
        data-autofocus
      />
      <Checkbox.Group
        label="May read"
        value={permissions}
        onChange={(values) => set({ permissions: values as Permission[] })}
      >
        <Group gap="lg" mt={6}>
          <Checkbox value="prompts" label="Prompts" />
          <Checkbox value="secrets" label="Secrets" />
        </Group>
      </Checkbox.Group>
      {permissions.includes('secrets') && (
        <SecretTags value={tags} onChange={(next) => set({ tags: next })} />
      )}
      <TagsInput
        label="Addresses"
        description="Ranges that it may be used from, such as 203.0.113.0/24. None: from anywhere."
        placeholder={cidrs.length === 0 ? 'Type one and press Enter' : ''}
        value={cidrs}
        onChange={(next) => set({ cidrs: next })}
        acceptValueOnBlur
        clearable={false}
      />
      <Group gap="xs" align="flex-end">
        <Select
          label="Expires"
          w={150}
          data={EXPIRIES}
          value={expiry}
          onChange={(next) => set({ expiry: next ?? 'never' })}
          allowDeselect={false}
        />
        {expiry === 'day' && (
          <TextInput
            type="date"
            aria-label="Last day"
            min={localDay(new Date())}
            value={day}
            onChange={(event) => set({ day: event.currentTarget.value })}
          />
        )}
      </Group>
    </DialogForm>
  );
};

const SecretTags = ({ value, onChange }: { value: string[]; onChange: (tags: string[]) => void }) => {
  const known = useQuery(secretTagsQuery).data ?? [];
  return (
    <div>
      <TagsInput
        label="Only secrets with these tags"
        description="A secret must carry all of them. None: every secret."
        placeholder={value.length === 0 ? 'Type one and press Enter' : ''}
        data={known}
        value={value}
        onChange={onChange}
        maxTags={LIMITS.tags}
        acceptValueOnBlur
        clearable={false}
        // Above the field, so that it never covers the buttons below.
        comboboxProps={{ position: 'top', middlewares: { flip: false } }}
        maxDropdownHeight={140}
      />
      <Scope tags={value} />
    </div>
  );
};

const NAMED = 8;

/** Which secrets a key with these tags can read now. */
const Scope = ({ tags }: { tags: readonly string[] }) => {
  const { data: keys } = useQuery({ ...scopeQuery(tags), placeholderData: (earlier) => earlier });
  if (keys === undefined) return null;
  if (keys.length === 0) {
    return (
      <Text size="xs" c="var(--mantine-color-amber-text)" mt={4} role="status" className="cv-break">
        {tags.length === 0
          ? 'There is no secret yet.'
          : `No secret has ${tags.length === 1 ? `the tag ${tags[0]}` : `all of the tags ${tags.join(', ')}`}: the key reads nothing until one does.`}
      </Text>
    );
  }
  return (
    <Text size="xs" c="dimmed" mt={4} role="status" className="cv-break">
      Reads {counted(keys.length, 'secret')}: {keys.slice(0, NAMED).join(', ')}
      {keys.length > NAMED && ` and ${keys.length - NAMED} more`}.
    </Text>
  );
};
