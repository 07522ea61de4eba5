import { Group, Menu, Text } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../api/use-action.ts';
import { openDialog } from '../../components/dialogs/dialog.tsx';
import { confirm, DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { notifyDone, notifyFailure } from '../../components/dialogs/notify.tsx';
import { MoreMenu } from '../../components/more-menu.tsx';
import { RowButton } from '../../components/small.tsx';
import { GroupInput } from './group-input.tsx';
import { type OperatorRow, updateOperator } from './operator-queries.ts';
import { usePasswordPlace } from './password-place.ts';

/** What an administrator can do to another operator. */
export const OperatorActions = ({ row }: { readonly row: OperatorRow }) => {
  const { email, status } = row;
  const place = usePasswordPlace();
  const disable = () =>
    confirm({
      title: 'Disable the operator',
      verb: 'Disable',
      color: 'brick',
      action: () => updateOperator(row, { enabled: false }),
      done: `${email} is disabled.`,
      text: (
        <>
          <strong>{email}</strong> may do nothing from now on, can no longer sign in, and all sessions end.
        </>
      ),
    });
  const reset = () =>
    confirm({
      title: 'Reset the sign-in',
      verb: 'Reset',
      action: () => updateOperator(row, { resetSignIn: true }),
      done: `The sign-in of ${email} is reset. ${place}`,
      text: (
        <>
          <strong>{email}</strong> gets a temporary password and, on AWS, sets up the second factor again. All
          sessions end.
        </>
      ),
      children: <Text c="dimmed">{place}</Text>,
    });
  return (
    <Group gap={4} wrap="nowrap">
      {status === 'disabled' ? (
        <Enable row={row} />
      ) : (
        <RowButton onClick={disable} aria-label={`Disable ${email}`}>
          Disable
        </RowButton>
      )}
      <MoreMenu size={24} label={`More actions for ${email}`}>
        <Menu.Item
          onClick={() => openDialog({ title: 'Change the group', content: <GroupForm row={row} /> })}
        >
          Change the group
        </Menu.Item>
        <Menu.Item onClick={reset}>Reset password and second factor</Menu.Item>
      </MoreMenu>
    </Group>
  );
};

const Enable = ({ row }: { readonly row: OperatorRow }) => {
  const { mutate, isPending } = useAction(async () => {
    await updateOperator(row, { enabled: true });
    notifyDone(`${row.email} can sign in again.`);
  }, notifyFailure);
  return (
    <RowButton loading={isPending} onClick={() => mutate()} aria-label={`Enable ${row.email}`}>
      Enable
    </RowButton>
  );
};

const GroupForm = ({ row }: { readonly row: OperatorRow }) => {
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
      <Text c="dimmed">Takes effect with their next click. Their page shows it within ten minutes.</Text>
    </DialogForm>
  );
};
