import type { Context } from 'aws-lambda';
import type { HttpEvent } from '../../../lambdas/http/call.ts';
import { httpStack } from '../../../lambdas/http/stack.ts';

const lines: string[] = [];
const write = process.stdout.write;
beforeAll(() => {
  process.stdout.write = (line: unknown) => lines.push(String(line)) > 0;
});
afterAll(() => {
  process.stdout.write = write;
});

const run = (handle: () => Promise<unknown>, remaining = 10_000) =>
  httpStack(handle)(
    {} as HttpEvent,
    { awsRequestId: 'request-1', getRemainingTimeInMillis: () => remaining } as unknown as Context,
  );

test('before the function times out, the envelope with 503 is sent', async () => {
  const reply = await run(() => new Promise(() => undefined), 520);
  expect(reply).toMatchObject({ statusCode: 503, headers: { 'cuevault-error': 'timeout' } });
  expect(JSON.parse(reply.body ?? '')).toEqual({ err: expect.stringMatching(/time/), res: null });
});

test.each([new Error('MARKED'), 'MARKED', undefined, { secret: 'MARKED' }])(
  'whatever else is thrown (%p) is answered with one generic sentence',
  async (thrown) => {
    const reply = await run(() => Promise.reject(thrown));
    expect(reply.statusCode).toBe(500);
    expect(reply.body).not.toContain('MARKED');
  },
);

test('each failure is logged with the request id', () => {
  expect(lines).toHaveLength(5);
  // The level and the time are those by which Lambda filters.
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({
      level: 'ERROR',
      message: expect.any(String),
      requestId: 'request-1',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    });
});

test('a reply above the Lambda limit returns 413; the largest that fits is sent', async () => {
  const quotes = (count: number) => ({ text: '"'.repeat(count) });
  expect((await run(async () => quotes(1_490_000))).statusCode).toBe(200);
  expect(await run(async () => quotes(1_510_000))).toMatchObject({
    statusCode: 413,
    headers: { 'cuevault-error': 'reply_too_large' },
  });
});
