import { Alert, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isRefusal } from '../../../api/api-error.ts';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { LeaveGuard } from '../../../components/dialogs/leave-guard.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { unchangedBy } from '../../../components/several.ts';
import { EnvironmentsField } from '../environments-field.tsx';
import { RecentReaders } from '../readers.tsx';
import { rotationAfter } from '../rotation/rotation.ts';
import { replaceValue } from '../secret-changes.ts';
import { type Secret, sameKeyQuery } from '../secret-queries.ts';
import { faultOf, ValueInput } from './value-input.tsx';

const nextRotation = ({ changedAt, rotateBy }: Secret): string | undefined =>
  rotateBy && rotationAfter(changedAt, rotateBy, new Date());

export const ValueForm = ({
  secret,
  hasLeaked,
}: {
  readonly secret: Secret;
  readonly hasLeaked: boolean;
}) => {
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
    const targets = all.filter(({ environment }) => chosen.includes(environment));
    try {
      await replaceValue(
        targets.map((each) => ({
          environment: each.environment,
          secretId: each.secretId,
          number: each.number,
          rotateBy: each.secretId === own.secretId ? rotateBy : nextRotation(each),
          hasLeaked: hasLeaked && each.secretId === own.secretId,
        })),
        value,
      );
      setValue('');
      notifyDone(`${secret.key} has a new value${targets.length > 1 ? ` in ${chosen.join(', ')}` : ''}.`);
    } catch (error) {
      setChosen(unchangedBy(error, targets).map(({ environment }) => environment));
      const { data = [] } = await same.refetch();
      setOwn(data.find(({ secretId }) => secretId === own.secretId) ?? own);
      throw error;
    }
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
          Disable the credential in v{own.number} where it was issued. Saving records it, so that going back
          to it needs the name of the secret.
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
