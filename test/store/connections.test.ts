import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { createClient, openConnection } from '../../lambdas/store/connect.ts';

let server: Server;
let connections = 0;
beforeAll(async () => {
  server = createServer((_, response) => response.end('{}')).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  connections = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const options = () => ({
  endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  region: 'eu-west-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});

test('the first calls use the connections that were opened before them', async () => {
  const [table, kms] = [createClient(options()), new KMSClient(options())];
  await Promise.all([openConnection(table), openConnection(kms)]);
  await table.send(new ListTablesCommand({}));
  await kms.send(new DecryptCommand({ CiphertextBlob: new Uint8Array([1]) }));
  expect(connections).toBe(2);
});

test('a connection that cannot be opened harms nothing', async () => {
  const client = createClient({ ...options(), endpoint: 'http://127.0.0.1:1', maxAttempts: 1 });
  await expect(openConnection(client)).resolves.toBeUndefined();
});
