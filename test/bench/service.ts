import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { createApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { connectSigningTable } from '../../lambdas/store/signing/kms.ts';
import type { Vault } from '../../lambdas/store/vault/vault.ts';
import { vaultIn } from '../../lambdas/store/vault/vault.ts';
import { ensureVaultKey } from '../../lambdas/store/vault-keys/rotation.ts';
import { connectRotationKms } from '../../lambdas/store/vault-keys/rotation-kms.ts';
import { KEY_ARNS, REGION, TABLE_NAME } from '../../local/aws/account.ts';
import { createKms, publicKeyOf } from '../../local/aws/kms.ts';
import { startEngine } from '../../local/engine/engine.ts';
import { ENGINE_CREDENTIALS, ensureTable } from '../../local/engine/table.ts';
import { listenOnLoopback } from '../../local/loopback.ts';
import { changeAt } from '../support/rows/table.ts';

export interface Caller {
  readonly apiKey: string;
  readonly status: number;
}

/** A table with an empty vault and an API key, and the functions on it. */
export interface Deployment {
  readonly table: Vault;
  readonly keyId: string;
  /**
   * A fresh container of a function: its bundle in this process. A call with the given key (the deployment's own unless
   * given) returns the body of the reply, which must have the status (200 unless given).
   */
  readonly container: (operationId: string, caller?: Caller) => Promise<(body: unknown) => Promise<string>>;
}

const { VaultKey: VAULT_KEY, SigningKey: SIGNING_KEY } = KEY_ARNS;

const serveKms = async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cuevault-bench-'));
  const kms = createKms(path.join(folder, 'key'));
  rmSync(folder, { recursive: true });
  const server = createServer(async (request, response) => {
    const { status, body } = kms(String(request.headers['x-amz-target']), JSON.parse(await text(request)));
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(body);
  });
  return {
    url: `http://${await listenOnLoopback(server)}`,
    publicKey: publicKeyOf(kms),
    stop: () => server.closeAllConnections(),
  };
};

const eventOf = (apiKey: string, body: unknown): APIGatewayProxyEventV2 => ({
  version: '2.0',
  routeKey: '$default',
  rawPath: '/',
  rawQueryString: '',
  headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  requestContext: {
    accountId: '000000000000',
    apiId: 'bench',
    domainName: 'bench',
    domainPrefix: 'bench',
    http: {
      method: 'POST',
      path: '/',
      protocol: 'HTTP/1.1',
      sourceIp: '203.0.113.7',
      userAgent: 'application/1.0',
    },
    requestId: randomUUID(),
    routeKey: '$default',
    stage: '$default',
    time: '',
    timeEpoch: Date.now(),
  },
  body: JSON.stringify(body),
  isBase64Encoded: false,
});

const startContainer = async (
  operationId: string,
  environment: NodeJS.ProcessEnv,
  { apiKey, status }: Caller,
) => {
  Object.assign(process.env, environment);
  const file = new URL(`../../dist/lambdas/${operationId}/index.mjs?${randomUUID()}`, import.meta.url);
  const { handler } = (await import(file.href)) as {
    handler: (event: unknown, context: unknown) => Promise<{ statusCode: number; body: string }>;
  };
  return async (body: unknown): Promise<string> => {
    const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => 10_000 };
    const reply = await handler(eventOf(apiKey, body), context);
    if (reply.statusCode !== status) throw new Error(`${operationId} answered ${reply.body}`);
    return reply.body;
  };
};

/**
 * Does something with a deployment on the engine and a KMS stand-in, whose functions call both directly, without
 * policies in between, and stops them afterwards.
 */
export const withDeployment = async <Result>(
  work: (deployment: Deployment) => Promise<Result>,
): Promise<Result> => {
  const engine = await startEngine();
  const kms = await serveKms();
  try {
    await ensureTable(engine.endpoint, TABLE_NAME);
    const environment = {
      [ENVIRONMENT.table]: TABLE_NAME,
      [ENVIRONMENT.stage]: 'bench',
      [ENVIRONMENT.vaultKeyArn]: VAULT_KEY,
      [ENVIRONMENT.signingKeyArn]: SIGNING_KEY,
      [ENVIRONMENT.publicKeys]: kms.publicKey,
      AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
      AWS_ENDPOINT_URL_KMS: kms.url,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: ENGINE_CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: ENGINE_CREDENTIALS.secretAccessKey,
    };
    Object.assign(process.env, environment);
    const table = vaultIn(connectSigningTable());
    await ensureVaultKey(table, connectRotationKms(), new Date());
    const input = { name: 'bench', permissions: ['prompts', 'secrets'] as const };
    const { apiKey, record } = await createApiKey(table, changeAt(), input);
    return await work({
      table,
      keyId: record.keyId,
      container: (operationId, caller = { apiKey, status: 200 }) =>
        startContainer(operationId, environment, caller),
    });
  } finally {
    kms.stop();
    await engine.stop();
  }
};
