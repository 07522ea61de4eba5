import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isRefusal } from '../../../api/api-error.ts';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { LeaveGuard } from '../../../components/dialogs/leave-guard.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { RecentReaders } from '../readers.tsx';
import { rotationAfter } from '../rotation/rotation.ts';
import { replaceValue } from '../secret-changes.ts';
import { currentSecret, type Secret } from '../secret-queries.ts';
import { faultOf, ValueInput } from './value-input.tsx';

export const ValueForm = ({ secret }: { readonly secret: Secret }) => {
  const [value, setValue] = useState('');
  // Not the current one: a value that was set in the meantime must not be replaced unseen.
  const [seen, setSeen] = useState(secret.number);
  const [rotateBy, setRotateBy] = useState(
    secret.rotateBy && rotationAfter(secret.changedAt, secret.rotateBy, new Date()),
  );
  const canSave = value !== '' && faultOf(value) === undefined;
  const save = async () => {
    try {
      const { secret: saved } = await replaceValue(secret.secretId, value, seen, rotateBy);
      setValue('');
      notifyDone(`${secret.key} has a new value: no. ${saved.number}.`);
    } catch (error) {
      if (isRefusal(error, 'changed_meanwhile')) setSeen((await currentSecret(secret.secretId)).number);
      throw error;
    }
  };
  return (
    <DialogForm
      verb="Save the value"
      canSubmit={canSave}
      action={save}
      hint={(refusal) =>
        isRefusal(refusal, 'changed_meanwhile') && ` No. ${seen} is current now; save again to replace it.`
      }
    >
      <Text>
        Applications get it with their next read. The value no. {seen} is kept, so that you can go back.
      </Text>
      <RecentReaders secretId={secret.secretId} outcome="get the new value" />
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
