import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../../api/use-action.ts';
import { openDialog } from '../../components/dialogs/dialog.tsx';
import { DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { notifyDone, notifyFailure } from '../../components/dialogs/notify.tsx';
import { GroupInput } from './group-input.tsx';
import { type OperatorRow, updateOperator } from './operator-queries.ts';
import { usePasswordPlace } from './password-place.ts';

/** What an administrator can do to another operator. */
export const OperatorActions = ({ row }: { readonly row: OperatorRow }) => {
  const { email, status } = row;
  const ask = (title: string, Form: typeof DisableForm) => openDialog({ title, content: <Form row={row} /> });
  return (
    <Group gap={4} wrap="nowrap">
      {status === 'disabled' ? (
        <Enable row={row} />
      ) : (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => ask('Disable the operator', DisableForm)}
          aria-label={`Disable ${email}`}
        >
          Disable
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={24} aria-label={`More actions for ${email}`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => ask('Change the group', GroupForm)}>Change the group</Menu.Item>
          <Menu.Item onClick={() => ask('Reset the sign-in', ResetForm)}>
            Reset password and second factor
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
};

const Enable = ({ row }: { readonly row: OperatorRow }) => {
  const { mutate, isPending } = useAction(async () => {
    await updateOperator(row, { enabled: true });
    notifyDone(`${row.email} can sign in again.`);
  }, notifyFailure);
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={isPending}
      onClick={() => mutate()}
      aria-label={`Enable ${row.email}`}
    >
      Enable
    </Button>
  );
};

const DisableForm = ({ row }: { readonly row: OperatorRow }) => {
  const disable = async () => {
    await updateOperator(row, { enabled: false });
    notifyDone(`${row.email} is disabled.`);
  };
  return (
    <DialogForm verb="Disable" color="brick" action={disable}>
      <Text>
        <strong className="cv-break">{row.email}</strong> can no longer sign in, and all sessions end. A page
        that is open works for up to ten more minutes.
      </Text>
    </DialogForm>
  );
};

const GroupForm = ({ row }: { readonly row: OperatorRow }) => {
  const [group, setGroup] = useState(row.group);
  const change = async () => {
    if (group === null) return;
    await updateOperator(row, { group });
    notifyDone(`${row.email} is now in the group ${group}.`);
  };
  return (
    <DialogForm verb="Change the group" canSubmit={group !== null && group !== row.group} action={change}>
      <Text className="cv-break">{row.email}</Text>
      <GroupInput value={group} onChange={setGroup} />
      <Text size="sm" c="dimmed">
        Takes effect within ten minutes, or with the next sign-in.
      </Text>
    </DialogForm>
  );
};

const ResetForm = ({ row }: { readonly row: OperatorRow }) => {
  const place = usePasswordPlace();
  const reset = async () => {
    await updateOperator(row, { resetSignIn: true });
    notifyDone(`The sign-in of ${row.email} is reset. ${place}`);
  };
  return (
    <DialogForm verb="Reset" action={reset}>
      <Text>
        <strong className="cv-break">{row.email}</strong> gets a temporary password and, on AWS, sets up the
        second factor again. All sessions end.
      </Text>
      <Text size="sm" c="dimmed">
        {place}
      </Text>
    </DialogForm>
  );
};
