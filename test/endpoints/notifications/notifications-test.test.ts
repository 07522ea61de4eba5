import { ask } from '../../support/admin.ts';
import { sharedInstance } from '../../support/shared/instance.ts';

test('a test event is in the audit log, with the administrator who sent it', async () => {
  const instance = await sharedInstance();
  const { at } = await ask(instance, 'notifications-test');
  const query = { action: 'notification.test', from: at };
  const { entries } = await ask(instance, 'audit-list', { query });
  const sent = entries.find((entry: { at: string }) => entry.at === at);
  expect(sent).toMatchObject({ actor: 'admin@example.com', subject: 'notifications', details: {} });
});
