import { Badge, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useOperator, useSession } from '../../api/session-context.tsx';
import { dateOf, Muted, RowButton, Small, TextLink, When } from '../../components/basics.tsx';
import { confirmByName } from '../../components/confirm-by-name.tsx';
import { ActionButton, confirm, DialogForm, notifyDone, openDialog } from '../../components/dialogs.tsx';
import { counted } from '../../components/locale.ts';
import { MoreMenu } from '../../components/more-menu.tsx';
import { NEW_CONTROL, Screen } from '../../components/screen.tsx';
import { QueryBoundary, screenFor } from '../../components/states.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { GroupInput, openInvitation, usePasswordPlace, WHERE } from './invite-form.tsx';
import { type OperatorRow, operatorsQuery, updateOperator } from './operator-queries.ts';

const GroupForm = ({ row }: { row: OperatorRow }) => {
  const [group, setGroup] = useState(row.group);
  return (
    <DialogForm
      verb="Change the group"
      canSubmit={group !== row.group}
      action={() => updateOperator(row, { group })}
      done={`${row.email} is now in the group ${group}.`}
    >
      <Text>{row.email}</Text>
      <GroupInput value={group} onChange={setGroup} />
      <Muted>Takes effect with their next click. Their page shows it within a minute.</Muted>
    </DialogForm>
  );
};

/** Who can sign in, and as what. For administrators only. */
export const OperatorsScreen = screenFor('admin', 'manage operators', () => {
  const query = useQuery(operatorsQuery);
  const columns = columnsFor(useOperator().email);
  return (
    <Screen
      subtitle={query.data && <span role="status">{counted(query.data.length, 'operator')}</span>}
      actions={
        <Button onClick={openInvitation} {...NEW_CONTROL}>
          Invite
        </Button>
      }
    >
      <QueryBoundary query={query}>
        {(operators) => (
          <DataTable label="Operators" columns={columns} rows={operators} rowKey="operatorId" />
        )}
      </QueryBoundary>
    </Screen>
  );
});

const STATUS = {
  pending: { color: 'amber', text: 'temporary password' },
  disabled: { color: 'gray', text: 'disabled' },
  invited: { color: 'amber', text: 'invited' },
  expired: { color: 'gray', text: 'invitation expired' },
} as const;

const Status = ({ status }: OperatorRow) =>
  status === 'active' ? status : <Badge color={STATUS[status].color}>{STATUS[status].text}</Badge>;

const columnsFor = (own: string): readonly Column<OperatorRow>[] => {
  const isOwn = ({ email }: OperatorRow) => email.toLowerCase() === own.toLowerCase();
  return [
    {
      title: 'E-mail address',
      cell: (row) => (
        <>
          <Text span fw={600}>
            {row.email}
          </Text>
          <Small>
            {`invited by ${row.invitedBy} on ${dateOf(row.invitedAt)}`} ·{' '}
            <TextLink to="/audit" search={{ kind: 'change', actor: row.email }}>
              what they changed
            </TextLink>
          </Small>
          {row.signIn === 'company' && <Small>through the company{row.userId && `, as ${row.userId}`}</Small>}
          {row.refusedEmail !== undefined && (
            <Small>now {row.refusedEmail} at the company, which is another operator’s address here</Small>
          )}
          {row.requests?.map((request) => (
            <Group key={request.requestId} gap={6}>
              <Small span>{request.userId} signed in with this address, unverified</Small>
              <RowButton onClick={() => confirmPerson(row, request)}>Confirm</RowButton>
            </Group>
          ))}
        </>
      ),
    },
    { title: 'Group', width: '8rem', below: true, cell: ({ group }) => group },
    { title: 'Status', width: '11rem', below: true, cell: Status },
    {
      title: 'Last sign-in',
      width: '8rem',
      visibleFrom: 'md',
      below: 'last sign-in:',
      cell: ({ signedInAt }) =>
        signedInAt === undefined ? <Small span>none recorded</Small> : <When at={signedInAt} short />,
    },
    {
      title: 'Actions',
      width: '7rem',
      cell: (row) => (isOwn(row) ? <Muted>you</Muted> : <OperatorActions row={row} />),
    },
  ];
};

const OperatorActions = ({ row }: { row: OperatorRow }) => {
  const { email, status } = row;
  const { config, continueAs } = useSession();
  const place = usePasswordPlace();
  const hasPassword = row.signIn === 'password';
  const isOff = status === 'disabled' || status === 'expired';
  const disable = () =>
    confirm({
      title: 'Disable the operator',
      verb: 'Disable',
      color: 'brick',
      action: () => updateOperator(row, { enabled: false }),
      done: `${email} is disabled.`,
      text: (
        <>
          <strong>{email}</strong> may do nothing from now on, can no longer sign in, and open pages say so
          within a minute.
        </>
      ),
    });
  const reset = () =>
    confirm({
      title: 'Reset the sign-in',
      verb: 'Reset',
      action: () => updateOperator(row, { resetSignIn: true }),
      done: `The sign-in of ${email} is reset. ${place} ${WHERE}`,
      text: (
        <>
          <strong>{email}</strong> gets a temporary password and, on AWS, sets up the second factor again.
          Open pages ask to sign in again within a minute.
        </>
      ),
      children: <Muted>{place}</Muted>,
    });
  const remove = () =>
    confirmByName({
      title: 'Remove the operator',
      name: email,
      verb: 'Remove',
      done: `${email} is removed.`,
      action: () => updateOperator(row, { remove: true }),
      text: 'They may do nothing from now on, and leave this list. What they did stays in the audit log. To let them in again, invite the address.',
    });
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {isOff && <Enable row={row} />}
      <MoreMenu
        size={24}
        label={`More actions for ${email}`}
        items={{
          'Continue as them': config.operators && hasPassword && (() => continueAs(email)),
          'Change the group': () =>
            openDialog({ title: 'Change the group', content: <GroupForm row={row} /> }),
          'Reset password and second factor': hasPassword && reset,
          Disable: !isOff && disable,
        }}
        dangers={{ Remove: remove }}
      />
    </Group>
  );
};

type Request = NonNullable<OperatorRow['requests']>[number];

const confirmPerson = (row: OperatorRow, { requestId, userId }: Request): void =>
  confirm({
    title: 'Confirm the person',
    verb: 'Confirm',
    action: () => updateOperator(row, { confirm: requestId }),
    done: `${userId} becomes ${row.email} with the next sign-in.`,
    text: (
      <>
        Somebody signed in through the company with the address <strong>{row.email}</strong>, but the company
        does not say that it is theirs. Their id there is <strong className="cv-break">{userId}</strong>: ask
        the company who that is. They become an operator of the group {row.group}, and nobody else can take
        the invitation.
      </>
    ),
  });

const Enable = ({ row }: { row: OperatorRow }) => (
  <ActionButton
    size="compact-xs"
    action={async () => {
      await updateOperator(row, { enabled: true });
      notifyDone(`${row.email} can sign in${row.status === 'expired' ? ' for 14 more days' : ' again'}.`);
    }}
    aria-label={`Enable ${row.email}`}
  >
    {row.status === 'expired' ? 'Invite again' : 'Enable'}
  </ActionButton>
);
