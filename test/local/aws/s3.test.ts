import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { connectSealedLog } from '../../../lambdas/store/seal/sealed-log.ts';
import { REGION, RESOURCES } from '../../../local/aws/account.ts';
import { createS3 } from '../../../local/aws/s3.ts';
import { openTestEndpoint, type TestEndpoint } from '../../support/aws/aws-endpoint.ts';
import { openTestLog } from '../../support/rows/sealed-log.ts';

const { folder } = openTestLog();
let opened: TestEndpoint;
beforeAll(async () => {
  opened = await openTestEndpoint(
    {
      'audit-seal': [{ on: 'sealed-log', actions: ['GetObject', 'PutObject', 'ListBucket'] }],
      'audit-list': [],
    },
    { s3: createS3(folder) },
  );
});
afterAll(() => opened.stop());

const logOf = (operationId: string, bucket: string = RESOURCES.sealedLog) =>
  connectSealedLog(
    { [ENVIRONMENT.sealedLog]: bucket },
    {
      endpoint: opened.endpoint.url,
      region: REGION,
      maxAttempts: 1,
      credentials: opened.endpoint.credentialsOf(operationId),
    },
  );

test('an object is added once, and read as it was added', async () => {
  const log = logOf('audit-seal');
  const bytes = Buffer.alloc(2_000_000, 'x');
  expect(await log.read('2026-01-01/1.gz')).toBeUndefined();
  expect(await log.add('2026-01-01/1.gz', bytes)).toBe(true);
  expect(await log.add('2026-01-01/1.gz', Buffer.from('other'))).toBe(false);
  expect((await log.read('2026-01-01/1.gz'))?.equals(bytes)).toBe(true);
});

test('a function without the permission is denied', async () => {
  for (const log of [logOf('audit-list'), logOf('audit-seal', 'Other')]) {
    await expect(log.read('2026-01-01/1.gz')).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(log.add('2026-01-01/9.gz', Buffer.from('x'))).rejects.toMatchObject({
      name: 'AccessDenied',
    });
    await expect(Array.fromAsync(log.keys())).rejects.toMatchObject({ name: 'AccessDenied' });
  }
  expect(opened.denials.map(([, action]) => action)).toContain('s3:PutObject');
});

test('no key escapes the folder', async () => {
  await expect(logOf('audit-seal').add('../escaped', Buffer.from('x'))).rejects.toThrow();
});
