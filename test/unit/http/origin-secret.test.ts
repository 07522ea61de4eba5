import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Context } from 'aws-lambda';
import { overviewGet } from '../../../contract/endpoints/service.ts';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { ORIGIN_SECRET } from '../../../contract/http/security-headers.ts';
import type { HttpEvent } from '../../../lambdas/http/call.ts';
import { operatorEndpoint } from '../../../lambdas/http/operator-endpoint.ts';
import { assertFromSite, createOriginCheck } from '../../../lambdas/http/origin-secret.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { mockClient } from '../../support/aws/mock-client.ts';

const ARNS = ['current', 'next'].map((name) => `arn:aws:secretsmanager:eu-central-1:1:secret:${name}-AbCdEf`);
const CURRENT = 'c'.repeat(43);
const NEXT = 'n'.repeat(43);

const manager = mockClient(SecretsManagerClient);
const answer = (): void => {
  for (const [n, SecretString] of [CURRENT, NEXT].entries())
    manager.on(GetSecretValueCommand, { SecretId: ARNS[n] }).resolves({ SecretString });
};
beforeEach(() => {
  manager.reset();
  answer();
});

const newCheck = () => createOriginCheck(ARNS, new SecretsManagerClient({}));

test('the current and the next secret are accepted, and both are read once for all calls', async () => {
  const check = newCheck();
  await Promise.all([CURRENT, NEXT, CURRENT].map(check));
  expect(manager.calls()).toHaveLength(2);
});

test.each([
  ['none', undefined],
  ['an empty one', ''],
  ['the start of one', CURRENT.slice(0, -1)],
  ['a longer one', `${CURRENT}c`],
  ['one in other letters', CURRENT.toUpperCase()],
  ['both', `${CURRENT},${NEXT}`],
  ['the ARN of one', ARNS[0]],
])('no other is accepted: %s', async (_, header) => {
  await expect(newCheck()(header)).rejects.toMatchObject({ code: 'forbidden' });
});

test('an empty secret accepts nothing, not even an empty header', async () => {
  manager.on(GetSecretValueCommand, { SecretId: ARNS[1] }).resolves({ SecretString: '' });
  await expect(newCheck()('')).rejects.toMatchObject({
    code: 'unavailable',
    cause: { message: expect.stringContaining('empty') },
  });
});

test('while one cannot be read, the other is accepted, and any other header can be tried again', async () => {
  const check = newCheck();
  manager
    .on(GetSecretValueCommand, { SecretId: ARNS[1] })
    .rejects(Object.assign(new Error(), { name: 'AccessDeniedException' }));
  await check(CURRENT);
  await expect(check(NEXT)).rejects.toMatchObject({ code: 'unavailable' });
  manager.reset();
  answer();
  await check(NEXT);
  await expect(check('guessed')).rejects.toMatchObject({ code: 'forbidden' });
});

describe('an endpoint for operators', () => {
  const lines: string[] = [];
  const { write } = process.stdout;
  beforeAll(() => {
    process.env[ENVIRONMENT.originSecrets] = ARNS.join(' ');
    process.stdout.write = (line: unknown) => lines.push(String(line)) > 0;
  });
  afterAll(() => {
    process.stdout.write = write;
    delete process.env[ENVIRONMENT.originSecrets];
  });

  const answerTo = async (header: string) => {
    const reply = await operatorEndpoint(
      overviewGet,
      {} as Table,
      async () => ({}) as never,
    )(
      { headers: { [ORIGIN_SECRET]: header } } as unknown as HttpEvent,
      { awsRequestId: 'r', getRemainingTimeInMillis: () => 10_000 } as unknown as Context,
    );
    return [reply.statusCode, JSON.parse(reply.body ?? '').err];
  };

  test('refuses a call without a secret before it looks at the token, and logs no header', async () => {
    manager.on(GetSecretValueCommand).rejects(new Error('AccessDenied'));
    expect(await answerTo(CURRENT)).toEqual([503, expect.any(String)]);
    manager.reset();
    answer();
    expect(await answerTo('guessed')).toEqual([403, 'Call the admin API at the address of the admin site.']);
    await assertFromSite({ [ORIGIN_SECRET]: NEXT });
    expect(lines.join()).toContain('AccessDenied');
    for (const value of ['guessed', CURRENT, NEXT]) expect(lines.join()).not.toContain(value);
  });
});
