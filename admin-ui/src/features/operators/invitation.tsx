import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Role } from '../../../../contract/endpoint.ts';
import { openDialog } from '../../components/dialogs/dialog.tsx';
import { DialogForm } from '../../components/dialogs/dialog-form.tsx';
import { GroupInput } from './group-input.tsx';
import { inviteOperator } from './operator-queries.ts';
import { usePasswordPlace } from './password-place.ts';

export const openInvitation = (): void =>
  openDialog({ title: 'Invite an operator', content: <InviteForm /> });

const InviteForm = () => {
  const [email, setEmail] = useState('');
  const [group, setGroup] = useState<Role>('viewer');
  const place = usePasswordPlace();
  return (
    <DialogForm
      verb="Invite"
      canSubmit={/^\S+@\S+$/.test(email.trim())}
      action={() => inviteOperator({ email: email.trim(), group })}
      done={`${email.trim()} is invited. ${place}`}
    >
      <TextInput
        label="E-mail address"
        type="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        data-autofocus
        required
      />
      <GroupInput value={group} onChange={setGroup} />
      <Text c="dimmed">{place}</Text>
    </DialogForm>
  );
};
