import { Badge, Group, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Delivery } from '../../../../contract/documentation/service.ts';
import type { metricsGet } from '../../../../contract/endpoints/service.ts';
import { notificationsTest } from '../../../../contract/endpoints/service.ts';
import { webhookGet, webhookSendAgain } from '../../../../contract/endpoints/webhook.ts';
import { call, type ReplyOf } from '../../api/client.ts';
import { metricsQuery, queryClient, replyQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session-context.tsx';
import { DayText, Facts, Panel, Small, When } from '../../components/basics.tsx';
import { ActionButton, notifyDone } from '../../components/dialogs.tsx';
import { inDigits } from '../../components/locale.ts';
import { Screen } from '../../components/screen.tsx';
import { QueryBoundary, screenFor } from '../../components/states.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';

/** Whether events are sent and where to, a test event, and what was delivered. */
export const NotificationsScreen = screenFor('admin', 'see notifications', () => {
  const { config } = useSession();
  return (
    <Screen subtitle="Each change is sent as an event. It says who changed what and when, and never contains a value.">
      {config.hasWebhook ? <Deliveries /> : <DaysOfWebhook />}
      <Small mt="sm">The types of events and their details: docs/events in the repository of Cuevault.</Small>
    </Screen>
  );
});

interface WebhookProps {
  isOn: boolean;
  /** Where it leads, or how to turn it on. */
  says: ReactNode;
  /** The last delivery. */
  last?: ReactNode;
  children?: ReactNode;
}

const Webhook = ({ isOn, says, last, children }: WebhookProps) => {
  const { config } = useSession();
  // Where mail is sent, there is an event bus, which takes events without a webhook too.
  const hasReceiver = isOn || config.mails;
  const test = async () => {
    await call(notificationsTest, {});
    await readAgain();
    notifyDone(isOn ? 'A test event is sent.' : 'A test event is on the event bus.');
  };
  return (
    <Panel
      title={
        <Group>
          Webhook <Badge color={isOn ? 'spruce' : 'gray'}>{isOn ? 'on' : 'off'}</Badge>
        </Group>
      }
      actions={hasReceiver && <ActionButton action={test}>Send a test event</ActionButton>}
    >
      <Text component="div">{says}</Text>
      {isOn && <Text mb="sm">Last delivery: {last ?? 'none yet'}</Text>}
      {children}
    </Panel>
  );
};

/** On AWS, where single deliveries are unknown. */
const DaysOfWebhook = () => (
  <QueryBoundary query={useQuery(metricsQuery)}>
    {({ webhook }) =>
      webhook === null ? (
        <Webhook
          isOn={false}
          says={
            <>
              <Text mb="xs">No event is sent anywhere. To turn it on:</Text>
              <Facts
                of={{
                  'On AWS': (
                    <>
                      deploy with the settings <code>webhookUrl</code> and <code>webhookSecret</code>
                    </>
                  ),
                  'On a laptop': (
                    <>
                      start Cuevault with an address in <code>CUEVAULT_WEBHOOK</code>
                    </>
                  ),
                }}
              />
            </>
          }
        />
      ) : (
        <Webhook
          isOn
          says={
            <>
              EventBridge delivers the events to the address in the setting <code>webhookUrl</code> and
              retries for 24 hours; the alarm <code>webhook-failures</code> says when it gives up.
            </>
          }
          last={<LastDay days={webhook} />}
        >
          <DataTable
            label="Deliveries by day"
            columns={DAY_COLUMNS}
            rows={webhook.toReversed()}
            rowKey="day"
          />
        </Webhook>
      )
    }
  </QueryBoundary>
);

const LastDay = ({ days }: { days: readonly WebhookDay[] }) => {
  const last = days.findLast(({ invocations, failed }) => invocations > failed);
  return last ? <DayText day={last.day} /> : 'none in these days';
};

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
    {({ receiver, deliveries: [last, ...others] }) => (
      <Webhook
        isOn
        says={
          <>
            Sent to <span className="cv-mono">{receiver}</span>
          </>
        }
        last={
          last && (
            <>
              {last.state}, <When at={last.at} short />
            </>
          )
        }
      >
        {last && (
          <DataTable label="Deliveries" columns={COLUMNS} rows={[last, ...others]} rowKey="deliveryId" />
        )}
      </Webhook>
    )}
  </QueryBoundary>
);

const COLORS = { pending: 'amber', delivered: 'spruce', failed: 'brick' } as const;

const Outcome = ({ state, status, error }: Delivery) => (
  <>
    <Group gap={6} wrap="nowrap">
      <Badge color={COLORS[state]}>{state}</Badge>
      {state === 'delivered' && status !== null && <Small span>{status}</Small>}
    </Group>
    {error !== null && <Small>{error}</Small>}
  </>
);

const SendAgain = ({ deliveryId, state, type, name }: Delivery) => (
  <ActionButton
    size="compact-xs"
    disabled={state === 'pending'}
    action={async () => {
      await call(webhookSendAgain, { params: { deliveryId } });
      await readAgain();
    }}
    aria-label={`Send again: ${type} of ${name}`}
  >
    Send again
  </ActionButton>
);

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: 'Event',
    minWidth: '8rem',
    cell: ({ type, name, subject }) => (
      <>
        <Text className="cv-mono cv-break">{type}</Text>
        <Small title={subject}>{name}</Small>
      </>
    ),
  },
  {
    title: 'Last attempt',
    width: '11rem',
    visibleFrom: 'md',
    below: true,
    cell: ({ at }) => <When at={at} />,
  },
  { title: 'Status', minWidth: '12rem', below: true, cell: Outcome },
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
