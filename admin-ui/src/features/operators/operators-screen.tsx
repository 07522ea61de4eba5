import { Badge, Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useOperator, useRole } from '../../api/session-context.tsx';
import { counted } from '../../components/count.ts';
import { NEW_CONTROL, Screen } from '../../components/layout/screen.tsx';
import { Small } from '../../components/small.tsx';
import { Notice, QueryBoundary } from '../../components/states.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { openInvitation } from './invitation.tsx';
import { OperatorActions } from './operator-actions.tsx';
import { type OperatorRow, operatorsQuery } from './operator-queries.ts';

/** Who can sign in, and as what. For administrators only. */
export const OperatorsScreen = () => {
  const { can } = useRole();
  return can('admin') ? (
    <Operators />
  ) : (
    <Screen title="Operators">
      <Notice title="Only administrators manage operators">
        <Text size="md">Ask an administrator to invite someone or to change a group.</Text>
      </Notice>
    </Screen>
  );
};

const Operators = () => {
  const query = useQuery(operatorsQuery);
  const columns = columnsFor(useOperator().email);
  return (
    <Screen
      title="Operators"
      subtitle={query.data && <span role="status">{counted(query.data.length, 'operator')}</span>}
      actions={
        <Button onClick={openInvitation} {...NEW_CONTROL} leftSection={<IconPlus size={15} aria-hidden />}>
          Invite
        </Button>
      }
    >
      <QueryBoundary query={query}>
        {(operators) => (
          <DataTable
            label="Operators"
            columns={columns}
            rows={operators}
            rowKey={({ operatorId }) => operatorId}
          />
        )}
      </QueryBoundary>
    </Screen>
  );
};

const STATUS = {
  active: { color: 'spruce', text: 'active' },
  pending: { color: 'amber', text: 'temporary password' },
  disabled: { color: 'gray', text: 'disabled' },
} as const;

const Status = ({ status }: OperatorRow) => <Badge color={STATUS[status].color}>{STATUS[status].text}</Badge>;

const columnsFor = (own: string): readonly Column<OperatorRow>[] => {
  const isOwn = ({ email }: OperatorRow) => email.toLowerCase() === own.toLowerCase();
  return [
    {
      title: 'E-mail address',
      cell: (row) => (
        <>
          <Text span fw={600} className="cv-break">
            {row.email}
          </Text>
          <Group gap={6} hiddenFrom="sm">
            <Small span>{row.group}</Small>
            {row.status !== 'active' && <Status {...row} />}
          </Group>
        </>
      ),
    },
    { title: 'Group', width: '8rem', visibleFrom: 'sm', cell: ({ group }) => group },
    { title: 'Status', width: '11rem', visibleFrom: 'sm', cell: Status },
    {
      title: 'Actions',
      width: '7rem',
      cell: (row) => (isOwn(row) ? <Text c="dimmed">you</Text> : <OperatorActions row={row} />),
    },
  ];
};
