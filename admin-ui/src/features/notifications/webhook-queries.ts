import { queryOptions } from '@tanstack/react-query';
import type { Delivery } from '../../../../contract/documentation/service.ts';
import { notificationsTest } from '../../../../contract/endpoints/notifications/notifications-test.ts';
import { webhookGet, webhookSendAgain } from '../../../../contract/webhook.ts';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';

export type { Delivery };

const SOON_MS = 1_000;
const LATER_MS = 5_000;

/** The last deliveries, read again while the screen is shown: often while one is pending. */
export const webhookQuery = queryOptions({
  queryKey: ['webhook'],
  queryFn: ({ signal }) => call(webhookGet, { signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.deliveries.some(({ state }) => state === 'pending') ? SOON_MS : LATER_MS,
});

/** Starts to deliver an event again. */
export const sendAgain = async (deliveryId: string): Promise<void> => {
  await call(webhookSendAgain, { params: { deliveryId } });
  await queryClient.invalidateQueries({ queryKey: webhookQuery.queryKey });
};

/** Sends a test event to everything that receives events. */
export const sendTest = async (): Promise<void> => {
  await call(notificationsTest, {});
  await queryClient.invalidateQueries({ queryKey: webhookQuery.queryKey });
};
