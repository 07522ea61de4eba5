import { Badge, Box, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { EVENT_TYPES } from '../../../../contract/events.ts';
import { useRole, useSession } from '../../api/session-context.tsx';
import { useAction } from '../../api/use-action.ts';
import { notifyDone, notifyFailure } from '../../components/dialogs/notify.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Screen } from '../../components/layout/screen.tsx';
import { inDigits } from '../../components/locale.ts';
import { NoPermission, QueryBoundary } from '../../components/states.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { When } from '../../components/when.tsx';
import { type Delivery, sendAgain, sendTest, webhookQuery } from './webhook-queries.ts';

/** What is sent as an event, a test event, and on a laptop the last deliveries to the webhook. */
export const NotificationsScreen = () => {
  const { config } = useSession();
  const { can } = useRole();
  if (!can('admin')) return <NoPermission />;
  return (
    <Screen
      title="Notifications"
      subtitle="Each change is sent as an event. It says who changed what and when, and never contains a value."
      actions={<SendTest />}
    >
      <Stack gap="md">
        <Panel title="Deliveries to the webhook">{config.hasWebhook ? <Deliveries /> : <NoWebhook />}</Panel>
        <Panel title="Types of events" count={EVENT_TYPES.length}>
          <DataTable label="Types of events" columns={TYPE_COLUMNS} rows={EVENT_TYPES} rowKey={typeOf} />
        </Panel>
      </Stack>
    </Screen>
  );
};

const SendTest = () => {
  const { mutate, isPending } = useAction(async () => {
    await sendTest();
    notifyDone('A test event is sent.');
  }, notifyFailure);
  return (
    <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
      Send a test event
    </Button>
  );
};

interface EventTypeRow {
  readonly type: string;
  readonly details: readonly string[];
}

const typeOf = ({ type }: EventTypeRow): string => type;

const TYPE_COLUMNS: readonly Column<EventTypeRow>[] = [
  {
    key: 'type',
    title: 'Type',
    minWidth: '14rem',
    cell: ({ type }) => <span className="cv-mono cv-break">{type}</span>,
  },
  {
    key: 'details',
    title: 'Details',
    cell: ({ details }) => (
      <Text size="xs" c="dimmed" className="cv-mono cv-break">
        {details.join(', ')}
      </Text>
    ),
  },
];

const NoWebhook = () => (
  <Text size="sm">
    On AWS, EventBridge delivers the events, retries for 24 hours and keeps no list; the alarm{' '}
    <code>webhook-failures</code> says when it gives up. On a laptop, the last deliveries are listed here if
    the runner was started with an address in <code>CUEVAULT_WEBHOOK</code>.
  </Text>
);

const Deliveries = () => (
  <QueryBoundary query={useQuery(webhookQuery)}>
    {({ receiver, deliveries }) =>
      deliveries.length === 0 ? (
        <Text size="sm" className="cv-break">
          No event yet. The next change is sent to {receiver}.
        </Text>
      ) : (
        <>
          <Text size="sm" mb="sm" className="cv-break">
            Receiver: <span className="cv-mono">{receiver}</span>
          </Text>
          <DataTable
            label="Deliveries"
            columns={COLUMNS}
            rows={deliveries}
            rowKey={({ deliveryId }) => deliveryId}
          />
        </>
      )
    }
  </QueryBoundary>
);

const COLORS = { pending: 'amber', delivered: 'spruce', failed: 'brick' } as const;

const Outcome = ({ state, status, error }: Delivery) => (
  <>
    <Group gap={6} wrap="nowrap">
      <Badge size="sm" color={COLORS[state]}>
        {state}
      </Badge>
      {state === 'delivered' && status !== null && (
        <Text span size="xs" c="dimmed">
          {status}
        </Text>
      )}
    </Group>
    {error !== null && (
      <Text size="xs" c="dimmed" className="cv-break">
        {error}
      </Text>
    )}
  </>
);

const SendAgain = ({ deliveryId, state, type, name }: Delivery) => {
  const { mutate, isPending } = useAction(() => sendAgain(deliveryId), notifyFailure);
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={isPending}
      disabled={state === 'pending'}
      onClick={() => mutate()}
      aria-label={`Send again: ${type} of ${name}`}
    >
      Send again
    </Button>
  );
};

const COLUMNS: readonly Column<Delivery>[] = [
  {
    key: 'at',
    title: 'Last attempt',
    width: '11rem',
    visibleFrom: 'md',
    cell: ({ at }) => <When at={at} />,
  },
  {
    key: 'event',
    title: 'Event',
    minWidth: '8rem',
    cell: (delivery) => {
      const { type, name, subject, at } = delivery;
      return (
        <>
          <Text size="sm" className="cv-mono cv-break">
            {type}
          </Text>
          <Text size="xs" c="dimmed" className="cv-break" title={subject}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" hiddenFrom="md" component="div">
            <When at={at} short />
          </Text>
          <Box hiddenFrom="sm">
            <Outcome {...delivery} />
          </Box>
        </>
      );
    },
  },
  { key: 'outcome', title: 'Status', minWidth: '12rem', visibleFrom: 'sm', cell: Outcome },
  {
    key: 'attempts',
    title: 'Attempts',
    width: '6rem',
    align: 'right',
    visibleFrom: 'sm',
    cell: ({ attempts }) => inDigits(attempts),
  },
  { key: 'again', title: 'Actions', width: '7rem', cell: (delivery) => <SendAgain {...delivery} /> },
];
