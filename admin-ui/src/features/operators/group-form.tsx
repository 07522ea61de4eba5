import { Text } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { GroupInput } from './group-input.tsx';
import { type OperatorRow, updateOperator } from './operator-queries.ts';

export const GroupForm = ({ row }: { readonly row: OperatorRow }) => {
  const [group, setGroup] = useState(row.group);
  return (
    <DialogForm
      verb="Change the group"
      canSubmit={group !== row.group}
      action={() => updateOperator(row, { group })}
      done={`${row.email} is now in the group ${group}.`}
    >
      <Text size="md" className="cv-break">
        {row.email}
      </Text>
      <GroupInput value={group} onChange={setGroup} />
      <Text c="dimmed">Takes effect with their next click. Their page shows it within a minute.</Text>
    </DialogForm>
  );
};
