import { notificationsTest } from '../../../contract/endpoints/service.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { auditChange } from '../../store/audit.ts';
import { transact } from '../../store/transactions.ts';

/** Records a change that changes nothing: its event follows as that of any other. */
export const handler = readEndpoint(notificationsTest, async ({ table, change }) => {
  const entry = { action: 'notification.test', subject: 'notifications', name: 'test event' };
  await transact(table, [...(change.requires ?? []), auditChange(table, change, entry)]);
  return { at: change.at.toISOString() };
});
