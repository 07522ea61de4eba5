import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { dateOf } from '../../components/when.tsx';
import { EXPIRIES, expiresAt } from './expiry.ts';
import { ExpiryInput } from './expiry-input.tsx';
import { type KeyRow, listsOf, updateKey } from './key-queries.ts';
import { concerned, KeyScopes, MostPrompts } from './key-scope.tsx';

export const EditKeyForm = ({ apiKey }: { readonly apiKey: KeyRow }) => {
  const { keyId, permissions, mostPrompts: most = LIMITS.promptsOfKey, expiresAt: ends } = apiKey;
  const [form, setForm] = useState({
    name: apiKey.name,
    lists: listsOf(apiKey),
    mostPrompts: most,
    expiry: 'keep',
    day: '',
  });
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
  const { name, lists, mostPrompts, expiry, day } = form;
  const options = [
    { value: 'keep', label: ends === undefined ? 'Never' : dateOf(ends) },
    ...EXPIRIES.filter(({ value }) => value !== 'never'),
  ];
  const save = async () => {
    const until = expiry === 'keep' ? undefined : expiresAt(expiry, day, new Date());
    const limits = { ...concerned(permissions, lists), ...(mostPrompts !== most && { mostPrompts }) };
    await updateKey(keyId, { name: name.trim(), ...limits, ...(until && { expiresAt: until }) });
  };
  return (
    <DialogForm
      verb="Save"
      canSubmit={name.trim() !== '' && (expiry !== 'day' || day !== '')}
      action={save}
      done={`${name.trim()} is saved.`}
    >
      <Text c="dimmed">
        You can rename a key and narrow it: add tags, choose fewer prompts, labels or addresses, let it create
        fewer prompts, or let it expire earlier. To allow more, create another key. Changes take effect with
        the next request.
      </Text>
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        maxLength={128}
        data-autofocus
      />
      <KeyScopes {...{ permissions, lists }} onChange={(next) => set({ lists: next })} />
      <MostPrompts
        {...{ permissions, value: mostPrompts, max: most }}
        onChange={(next) => set({ mostPrompts: next })}
      />
      <ExpiryInput expiry={expiry} day={day} options={options} onChange={set} />
    </DialogForm>
  );
};
