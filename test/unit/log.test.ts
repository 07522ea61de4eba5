import { log } from '../../lambdas/log.ts';

const lines: string[] = [];
const { write } = process.stdout;
beforeAll(() => {
  process.stdout.write = (line: unknown) => lines.push(String(line)) > 0;
});
afterAll(() => {
  process.stdout.write = write;
});

test('a log line has the level and time by which Lambda filters, and its fields', () => {
  log('warn', 'something happened', { requestId: 'request-1' });
  const line = JSON.parse(lines.join('')) as { timestamp: string };
  expect(line).toEqual({
    level: 'WARN',
    message: 'something happened',
    timestamp: expect.any(String),
    requestId: 'request-1',
  });
  expect(new Date(line.timestamp).toISOString()).toBe(line.timestamp);
});
