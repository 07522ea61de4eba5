import { notificationsTest } from '../../../contract/endpoints/service.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { commitChange } from '../../store/audit.ts';

/** Records a change that changes nothing: its event follows as that of any other. */
export const handler = readEndpoint(notificationsTest, async ({ table, change }) => {
  const entry = { action: 'notification.test', subject: 'notifications', name: 'test event' };
  await commitChange(table, change, entry);
  return { at: change.at.toISOString() };
});
