import { auditList } from '../../../contract/endpoints/audit-list.ts';
import { notificationsTest } from '../../../contract/endpoints/notifications/notifications-test.ts';
import { ask } from '../../support/admin.ts';
import { sharedInstance } from '../../support/shared/instance.ts';

test('a test event is in the audit log, with the administrator who sent it', async () => {
  const instance = await sharedInstance();
  const { at } = await ask(instance, notificationsTest);
  const query = { action: 'notification.test', from: at };
  const { entries } = await ask(instance, auditList, { query });
  const sent = entries.find((entry: { at: string }) => entry.at === at);
  expect(sent).toMatchObject({ actor: 'admin@example.com', subject: 'notifications', details: {} });
});
