import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { time } from '../../shapes/common.ts';

export const notificationsTest = endpoint({
  id: 'notifications-test',
  route: { method: 'POST', path: '/api/admin/notifications/test' },
  access: ADMIN,
  reply: z.object({ at: time('Time of the event.') }),
  errors: [],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['PutItem'], partitions: ['auditChange'] }],
  summary: 'Send a test event',
  description:
    'Sends an event of the type `notification.test` to everything that receives events, in the same way as the event of a change: it is in the audit log first. The reply does not wait for it to arrive.',
  examples: [{ summary: 'A test', res: { at: '2026-03-10T12:00:00.000Z' } }],
});
