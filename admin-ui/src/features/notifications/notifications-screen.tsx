import { Badge, Box, Button, Group, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Delivery } from '../../../../contract/documentation/service.ts';
import type { metricsGet } from '../../../../contract/endpoints/service.ts';
import { notificationsTest } from '../../../../contract/endpoints/service.ts';
import { webhookGet, webhookSendAgain } from '../../../../contract/webhook.ts';
import { call, type ReplyOf } from '../../api/client.ts';
import { metricsQuery, replyQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { useSession } from '../../api/session-context.tsx';
import { useAction } from '../../api/use-action.ts';
import { notifyDone, notifyFailure, notifyIgnored } from '../../components/dialogs/notify.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Screen } from '../../components/layout/screen.tsx';
import { inDigits } from '../../components/locale.ts';
import { RowButton, Small } from '../../components/small.tsx';
import { QueryBoundary, screenFor } from '../../components/states.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { DayText, When } from '../../components/when.tsx';

/** What is sent as an event, a test event, and on a laptop the last deliveries to the webhook. */
const Notifications = () => {
  const { config } = useSession();
  return (
    <Screen
      title="Notifications"
      subtitle="Each change is sent as an event. It says who changed what and when, and never contains a value."
      actions={<SendTest />}
    >
      <Panel title="Deliveries to the webhook">
        {config.hasWebhook ? <Deliveries /> : <DaysOfWebhook />}
      </Panel>
      <Small mt="sm">The types of events and their details: docs/events in the repository of Cuevault.</Small>
    </Screen>
  );
};

export const NotificationsScreen = screenFor('admin', 'see notifications', Notifications);

const SendTest = () => {
  const { config } = useSession();
  // Where mail is sent, there is an event bus, which takes events without a webhook too.
  const hasReceiver = config.hasWebhook || config.mails;
  const { mutate, isPending } = useAction(async () => {
    if (!hasReceiver) return notifyIgnored(NO_RECEIVER);
    await call(notificationsTest, {});
    await readAgain();
    notifyDone(config.hasWebhook ? 'A test event is sent.' : 'A test event is on the event bus.');
  }, notifyFailure);
  return (
    <Button variant="default" loading={isPending} onClick={() => mutate()}>
      Send a test event
    </Button>
  );
};

const NO_RECEIVER =
  'Nothing receives events here. Start Cuevault with the address of a webhook in CUEVAULT_WEBHOOK, then send the test event.';

/** On AWS, where single deliveries are unknown. */
const DaysOfWebhook = () => (
  <QueryBoundary query={useQuery(metricsQuery)}>
    {({ webhook }) => (
      <>
        <Text mb={webhook ? 'sm' : 0}>
          On AWS, EventBridge delivers the events, retries for 24 hours and keeps no list; the alarm{' '}
          <code>webhook-failures</code> says when it gives up.{' '}
          {webhook === null && (
            <>
              No webhook is configured: on AWS, deploy with the settings <code>webhookUrl</code> and{' '}
              <code>webhookSecret</code>. On a laptop, the last deliveries are listed here if the runner was
              started with an address in <code>CUEVAULT_WEBHOOK</code>.
            </>
          )}
        </Text>
        {webhook && (
          <DataTable
            label="Deliveries by day"
            columns={DAY_COLUMNS}
            rows={webhook.toReversed()}
            rowKey={({ day }) => day}
          />
        )}
      </>
    )}
  </QueryBoundary>
);

type WebhookDay = NonNullable<ReplyOf<typeof metricsGet>['webhook']>[number];

const DAY_COLUMNS: readonly Column<WebhookDay>[] = [
  { title: 'Day (UTC)', cell: ({ day }) => <DayText day={day} /> },
  {
    title: 'Attempts',
    align: 'right',
    visibleFrom: 'sm',
    cell: ({ attempts }) => inDigits(attempts),
  },
  {
    title: 'Delivered',
    align: 'right',
    cell: ({ invocations, failed }) => inDigits(invocations - failed),
  },
  {
    title: 'Given up',
    align: 'right',
    cell: ({ failed }) => (failed === 0 ? 0 : <Badge color={COLORS.failed}>{inDigits(failed)}</Badge>),
  },
];

const Deliveries = () => (
  <QueryBoundary query={useQuery(webhookQuery)}>
    {({ receiver, deliveries }) =>
      deliveries.length === 0 ? (
        <Text className="cv-break">No event yet. The next change is sent to {receiver}.</Text>
      ) : (
        <>
          <Text mb="sm" className="cv-break">
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
      <Badge color={COLORS[state]}>{state}</Badge>
      {state === 'delivered' && status !== null && <Small span>{status}</Small>}
    </Group>
    {error !== null && <Small className="cv-break">{error}</Small>}
  </>
);

const SendAgain = ({ deliveryId, state, type, name }: Delivery) => {
  const { mutate, isPending } = useAction(async () => {
    await call(webhookSendAgain, { params: { deliveryId } });
    await readAgain();
  }, notifyFailure);
  return (
    <RowButton
      loading={isPending}
      disabled={state === 'pending'}
      onClick={() => mutate()}
      aria-label={`Send again: ${type} of ${name}`}
    >
      Send again
    </RowButton>
  );
};

const COLUMNS: readonly Column<Delivery>[] = [
  { title: 'Last attempt', width: '11rem', visibleFrom: 'md', cell: ({ at }) => <When at={at} /> },
  {
    title: 'Event',
    minWidth: '8rem',
    cell: (delivery) => {
      const { type, name, subject, at } = delivery;
      return (
        <>
          <Text className="cv-mono cv-break">{type}</Text>
          <Small className="cv-break" title={subject}>
            {name}
          </Small>
          <Small hiddenFrom="md" component="div">
            <When at={at} short />
          </Small>
          <Box hiddenFrom="sm">
            <Outcome {...delivery} />
          </Box>
        </>
      );
    },
  },
  { title: 'Status', minWidth: '12rem', visibleFrom: 'sm', cell: Outcome },
  {
    title: 'Attempts',
    width: '6rem',
    align: 'right',
    visibleFrom: 'sm',
    cell: ({ attempts }) => inDigits(attempts),
  },
  { title: 'Actions', width: '7rem', cell: (delivery) => <SendAgain {...delivery} /> },
];

const SOON_MS = 1_000;
const LATER_MS = 5_000;

/** The last deliveries, read again while the screen is shown: often while one is pending. */
const webhookQuery = queryOptions({
  ...replyQuery(['webhook'], webhookGet),
  refetchInterval: ({ state: { data } }) =>
    data?.deliveries.some(({ state }) => state === 'pending') ? SOON_MS : LATER_MS,
});

const readAgain = () => queryClient.invalidateQueries({ queryKey: webhookQuery.queryKey });
