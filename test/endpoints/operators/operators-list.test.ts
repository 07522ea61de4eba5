import { ask } from '../../support/admin.ts';
import { anOperator, changed } from '../../support/scenarios/operator-scenarios.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('lists operators by address, with group and status', async () => {
  const invited = await anOperator(instance, 'viewer');
  const disabled = await anOperator(instance);
  await changed(instance, disabled, { enabled: false });
  const { operators } = await ask(instance, 'operators-list');
  expect(operators).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ email: 'admin@example.com', group: 'admin', status: 'active' }),
      { ...invited, group: 'viewer', status: 'pending' },
      { ...disabled, group: 'editor', status: 'disabled' },
    ]),
  );
  const addresses = operators.map(({ email }: { email: string }) => email);
  expect(addresses).toEqual(addresses.toSorted((a: string, b: string) => a.localeCompare(b, 'en')));
});
