import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import type { Vault } from '../../lambdas/store/vault/vault.ts';
import { KEY_ARNS, REGION } from '../../local/aws/account.ts';
import { openInstance } from '../support/instance.ts';

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
 * Does something with a deployment on an instance, whose functions call its engine and KMS directly, without policies in
 * between, and stops it afterwards.
 */
export const withDeployment = async <Result>(
  work: (deployment: Deployment) => Promise<Result>,
): Promise<Result> => {
  const instance = await openInstance();
  try {
    const { table, aws, engine, newKey } = instance;
    const environment = {
      ...instance.tableEnvironment,
      [ENVIRONMENT.vaultKeyArn]: KEY_ARNS.VaultKey,
      AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
      AWS_ENDPOINT_URL_KMS: aws.url,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: aws.runnerCredentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: aws.runnerCredentials.secretAccessKey,
    };
    Object.assign(process.env, environment);
    const { apiKey, keyId } = await newKey();
    return await work({
      table,
      keyId,
      container: (operationId, caller = { apiKey, status: 200 }) =>
        startContainer(operationId, environment, caller),
    });
  } finally {
    await instance.stop();
  }
};
