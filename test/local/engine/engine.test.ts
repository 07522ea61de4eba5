import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeTimeToLiveCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { REGION } from '../../../local/aws/account.ts';
import { startEngine } from '../../../local/engine/engine.ts';
import { ENGINE_CREDENTIALS, ensureTable } from '../../../local/engine/table.ts';
import { newFolder } from '../../support/new-folder.ts';
import { processesWith, runUntilLine } from '../../support/processes/process.ts';

const ENGINE_MODULE = new URL('../../../local/engine/engine.ts', import.meta.url).href;
const folder = newFolder();

const clientOf = (endpoint: string) =>
  new DynamoDBClient({ endpoint, region: REGION, credentials: ENGINE_CREDENTIALS });

const withEndpoint = async (value: string, action: () => Promise<void>) => {
  const before = { ...process.env };
  process.env.CUEVAULT_DYNAMODB_ENDPOINT = value;
  try {
    await action();
  } finally {
    process.env = before;
  }
};

test('stopping ends the engine and its watchdog', async () => {
  const engine = await startEngine();
  const { hostname, port } = new URL(engine.endpoint);
  await engine.stop();
  expect(processesWith(`--host ${hostname} --port ${port}`)).toEqual([]);
});

test.each([
  ['sunos', 'CUEVAULT_DYNAMODB_ENDPOINT=http://127.0.0.1:8000 npm start'],
  ['win32', 'set "CUEVAULT_DYNAMODB_ENDPOINT=http://127.0.0.1:8000" && npm start'],
])(
  'without an engine for the platform %s, the error prints the two commands that help',
  async (platform, last) => {
    const { line } = await runUntilLine(
      `Object.defineProperties(process, { platform: { value: '${platform}' }, arch: { value: 'ppc64' } });
     process.env.PATH = '';
     const { startEngine } = await import('${ENGINE_MODULE}');
     startEngine().catch(({ message }) => console.log(JSON.stringify(message)));`,
    );
    const [problem, ...commands] = JSON.parse(line).split('\n');
    expect(problem).toContain(`no DynamoDB engine for ${platform}-ppc64`);
    expect(commands).toEqual(['  docker run -d -p 127.0.0.1:8000:8000 amazon/dynamodb-local', `  ${last}`]);
  },
);

test('data survives a restart, in a file that only its owner can read', async () => {
  const file = join(folder, 'table.sqlite');
  const first = await startEngine(file);
  await ensureTable(first.endpoint, 'kept');
  await first.stop();
  expect(statSync(file).mode & 0o077).toBe(0);
  const second = await startEngine(file);
  await ensureTable(second.endpoint, 'kept');
  const client = clientOf(second.endpoint);
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: 'kept' }));
  client.destroy();
  await second.stop();
  expect(TimeToLiveDescription).toMatchObject({ AttributeName: 'ttl', TimeToLiveStatus: 'ENABLED' });
});

test('an engine that cannot start reports its own error', async () => {
  await expect(startEngine(join(folder, 'absent', 'table.sqlite'))).rejects.toThrow(
    /did not start: .*unable to open database file/,
  );
});

test('a configured endpoint is used and nothing is started', async () => {
  const { endpoint, stop } = await startEngine();
  await withEndpoint(endpoint, async () => {
    const engine = await startEngine();
    await engine.stop();
    expect(engine.endpoint).toBe(endpoint);
    await ensureTable(endpoint, 'still-there');
  });
  await stop();
});

test.each(['http://127.0.0.1:1', 'localhost:8000', 'nowhere'])(
  'a configured endpoint where nothing answers is reported in one line: %s',
  async (endpoint) => {
    await withEndpoint(endpoint, async () => {
      const error = await startEngine().catch((refused: unknown) => refused);
      expect(error).toMatchObject({ name: 'StartError', message: expect.stringContaining(endpoint) });
    });
  },
);
