import { Text, TextInput } from '@mantine/core';
import { LIMITS } from '../../../../contract/limits.ts';
import { DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { useFields } from '../../components/dialogs/use-fields.ts';
import { dateOf } from '../../components/when.tsx';
import { type ExpiryChoice, expiresAt } from './expiry.ts';
import { ExpiryInput } from './expiry-input.tsx';
import { type KeyRow, listsOf, updateKey } from './key-queries.ts';
import { concerned, KeyScopes, MostPrompts } from './key-scope.tsx';

export const EditKeyForm = ({ apiKey }: { readonly apiKey: KeyRow }) => {
  const { keyId, permissions, mostPrompts: most = LIMITS.promptsOfKey, expiresAt: ends } = apiKey;
  const form = useFields({
    name: apiKey.name,
    lists: listsOf(apiKey),
    mostPrompts: most,
    expires: { expiry: 'keep', day: '' } as ExpiryChoice,
  });
  const { name, lists, mostPrompts, expires } = form.values;
  const save = async () => {
    const until = expires.expiry === 'keep' ? undefined : expiresAt(expires, new Date());
    const limits = { ...concerned(permissions, lists), ...(mostPrompts !== most && { mostPrompts }) };
    await updateKey(keyId, { name: name.trim(), ...limits, ...(until && { expiresAt: until }) });
  };
  return (
    <DialogForm
      verb="Save"
      canSubmit={name.trim() !== '' && (expires.expiry !== 'day' || expires.day !== '')}
      action={save}
      done={`${name.trim()} is saved.`}
    >
      <Text c="dimmed">
        You can rename a key and narrow it: add tags, choose fewer prompts, labels or addresses, let it create
        fewer prompts, or let it expire earlier. To allow more, create another key. Changes take effect with
        the next request.
      </Text>
      <TextInput label="Name" {...form.text('name')} maxLength={128} data-autofocus />
      <KeyScopes permissions={permissions} lists={lists} onChange={form.field('lists').onChange} />
      <MostPrompts permissions={permissions} max={most} {...form.field('mostPrompts')} />
      <ExpiryInput
        {...form.field('expires')}
        until={ends}
        first={[{ value: 'keep', label: ends === undefined ? 'Never' : dateOf(ends) }]}
      />
    </DialogForm>
  );
};
