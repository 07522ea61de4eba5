import { Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { LIMITS } from '../../../../contract/limits.ts';
import { dateOf, keyPage, Muted, When } from '../../components/basics.tsx';
import { confirmRevocation } from '../../components/confirm-by-name.tsx';
import { DialogForm, openDialog, useFields } from '../../components/dialogs.tsx';
import { joined, times } from '../../components/locale.ts';
import { MoreMenu } from '../../components/more-menu.tsx';
import { type ExpiryChoice, expiresAt } from './expiry.ts';
import { type KeyRow, listsOf, updateKey } from './key-queries.ts';
import { concerned, ExpiryInput, KeyScopes, MostPrompts } from './key-scope.tsx';
import { openNewKey } from './new-key-dialog.tsx';

/**
 * Asks before a key is revoked, and shows who is affected. `follow` is called afterwards if the key was used: whoever had
 * it knows what it read.
 */
export const openRevocation = (
  { keyId, name, calls, lastUsedAt }: KeyRow,
  follow: (keyId: string) => void,
): void => {
  const { prompts, secrets } = calls;
  const uses = joined(
    [prompts > 0 && `fetched prompts ${times(prompts)}`, secrets > 0 && `read secrets ${times(secrets)}`],
    ' and ',
  );
  const affected = (
    <Text c={uses ? 'amber' : 'dimmed'}>
      In the last {LIMITS.shownDays} days it {uses || 'was not used'}
      {lastUsedAt !== null && (
        <>
          , last <When at={lastUsedAt} />
        </>
      )}
      .
    </Text>
  );
  confirmRevocation({ keyId, name, affected }, () => lastUsedAt !== null && follow(keyId));
};

const EditKeyForm = ({ apiKey }: { apiKey: KeyRow }) => {
  const { keyId, permissions, mostPrompts: most = LIMITS.promptsOfKey, expiresAt: ends } = apiKey;
  const form = useFields({
    name: apiKey.name,
    lists: listsOf(apiKey),
    mostPrompts: most,
    expires: { expiry: 'keep', day: '' } as ExpiryChoice,
  });
  const { name, lists, mostPrompts, expires } = form.values;
  const save = async () => {
    const limits = { ...concerned(permissions, lists), ...(mostPrompts !== most && { mostPrompts }) };
    const until = expires.expiry === 'keep' ? undefined : expiresAt(expires, new Date());
    await updateKey(keyId, { name: name.trim(), ...limits, expiresAt: until });
  };
  return (
    <DialogForm
      verb="Save"
      canSubmit={name.trim() !== '' && (expires.expiry !== 'day' || expires.day !== '')}
      action={save}
      done={`${name.trim()} is saved.`}
    >
      <Muted>
        You can rename a key and narrow what it may do, from the next request on. To allow more, create
        another key.
      </Muted>
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

/** The actions of a key, in a menu. An expired key can only be replaced or revoked, a revoked one neither. */
export const KeyActions = ({ row }: { row: KeyRow }) => {
  const navigate = useNavigate();
  const open = (keyId: string) => void navigate(keyPage(keyId));
  const revoke = () => openRevocation(row, open);
  if (row.status === 'revoked') return null;
  return (
    <MoreMenu
      size={24}
      label={`More actions for ${row.name} (${row.keyId})`}
      items={{
        'Edit name and access':
          row.status === 'active' &&
          (() => openDialog({ title: 'Edit the API key', content: <EditKeyForm apiKey={row} /> })),
        'Rotate: create a successor': () => openNewKey(row),
      }}
      dangers={{ Revoke: revoke }}
    />
  );
};
