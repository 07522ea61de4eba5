import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { encryptValue, importPrivateKey, open } from '../../../lambdas/core/vault/encryption.ts';
import { connectRotationKms, connectVaultKms } from '../../../lambdas/store/vault-keys/kms.ts';
import { createKms } from '../../../local/aws/kms.ts';

const KEY_ARN = 'arn:aws:kms:eu-west-1:000000000000:key/11111111-2222-3333-4444-555555555555';
const environment = { [ENVIRONMENT.vaultKeyArn]: KEY_ARN };
const context = { service: 'cuevault', stage: 'test', purpose: 'vault', keyVersion: '1' };

let folder: string;
let server: Server;
let down = false;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vault-kms-'));
  const kms = createKms(join(folder, 'key'), { vault: KEY_ARN, signing: `${KEY_ARN}-signing` });
  server = createServer(async (request, response) => {
    const target = String(request.headers['x-amz-target']);
    const reply = down ? { status: 500, body: '{}' } : kms(target, await text(request));
    response.writeHead(reply.status, { 'content-type': 'application/x-amz-json-1.1' }).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});
afterEach(() => {
  down = false;
});

const options = () => ({
  endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  region: 'eu-west-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  maxAttempts: 1,
});

test('what is encrypted to a generated pair opens with the private key that the reader unwraps', async () => {
  const pair = await connectRotationKms(environment, options()).generatePair(context);
  const box = { stage: 'test', key: 'TOKEN', secretId: 's', number: 1, keyVersion: 1 };
  const sealed = encryptValue(pair.publicKey, box, 'value');
  const reader = connectVaultKms(environment, options());
  const privateKey = importPrivateKey(await reader.unwrap(pair.wrappedPrivateKey, context));
  expect(open(privateKey, box, sealed)).toBe('value');
});

test('a private key is not unwrapped in another context', async () => {
  const kms = connectRotationKms(environment, options());
  const { wrappedPrivateKey } = await kms.generatePair(context);
  await expect(kms.unwrap(wrappedPrivateKey, { ...context, keyVersion: '2' })).rejects.toThrow();
});

test('an outage of KMS is unavailable', async () => {
  const kms = connectRotationKms(environment, options());
  down = true;
  await expect(kms.generatePair(context)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(kms.unwrap(new Uint8Array(9), context)).rejects.toMatchObject({ code: 'unavailable' });
});
