import { Badge, Box, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../../api/session-context.tsx';
import { useAction } from '../../../api/use-action.ts';
import { notifyFailure } from '../../../components/dialogs/notify.tsx';
import { Screen } from '../../../components/layout/screen.tsx';
import { TextLink } from '../../../components/link.tsx';
import { inDigits } from '../../../components/locale.ts';
import { Notice, QueryBoundary } from '../../../components/states.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { When } from '../../../components/when.tsx';
import { type Delivery, sendAgain, webhookQuery } from './webhook-queries.ts';

/** The last deliveries of events to the webhook. Only a local runner with a webhook keeps them. */
export const WebhookScreen = () => {
  const { config } = useSession();
  return (
    <Screen
      title="Webhook"
      above={<TextLink to="/audit">Audit</TextLink>}
      subtitle="Each change is sent as an event. These are the last deliveries since the runner was started, 100 at most."
    >
      {config.hasWebhook ? <Deliveries /> : <NoWebhook />}
    </Screen>
  );
};

const NoWebhook = () => (
  <Notice title="No deliveries to show">
    <Text>
      Deliveries are listed on a laptop, if the runner was started with an address in the variable{' '}
      <code>CUEVAULT_WEBHOOK</code>. On AWS, EventBridge delivers the events, and its archive can send them
      again.
    </Text>
  </Notice>
);

const Deliveries = () => (
  <QueryBoundary query={useQuery(webhookQuery)}>
    {({ receiver, deliveries }) =>
      deliveries.length === 0 ? (
        <Notice title="No event yet">
          <Text className="cv-break">The next change is sent to {receiver}.</Text>
        </Notice>
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
