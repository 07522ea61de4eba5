import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { isObject } from '../../contract/fields/patterns.ts';
import type { Permissions } from '../functions/accesses.ts';
import { listenOnLoopback } from '../loopback.ts';
import { parsedJson, readBody } from '../request-body.ts';
import { lambdaCallOf } from './lambda.ts';
import { awsFailure } from './reply.ts';
import { s3CallOf } from './s3.ts';
import { type AwsServiceOptions, type Caller, createServices, type Reply } from './services.ts';

export interface AwsEndpointOptions extends AwsServiceOptions {
  /** What each function may do, by its operation id. */
  readonly functions: Readonly<Record<string, Permissions>>;
}

/** DynamoDB's limit on a request, in bytes. */
const REQUEST_LIMIT = 16 * 1024 * 1024;

/** In bytes: nobody guesses an access key id, so it is the credential, and signatures are not verified. */
const ACCESS_KEY_BYTES = 20;
const CREDENTIAL = /^AWS4-HMAC-SHA256 Credential=(\w+)\//;

const makeCredentials = () => ({
  accessKeyId: `CUE${randomBytes(ACCESS_KEY_BYTES).toString('hex').toUpperCase()}`,
  secretAccessKey: 'not verified',
});

const accessKeyIdOf = ({ authorization = '' }: IncomingHttpHeaders): string =>
  CREDENTIAL.exec(authorization)?.[1] ?? '';

/** The call that a request makes. S3 and Lambda name the operation in the method and path. */
const callOf = ({ method = '', url = '', headers }: IncomingMessage, raw: Buffer) => {
  const target = headers['x-amz-target'];
  if (target === undefined)
    return (
      lambdaCallOf(method, url, headers['x-amz-invocation-type']) ??
      s3CallOf(method, url, headers['if-none-match'])
    );
  const body = parsedJson(raw);
  return isObject(body) ? { target: String(target), body } : undefined;
};

// The error's own message is left out: for a lost connection it contains the address of the engine.
const failure = (error: NodeJS.ErrnoException): Reply => ({
  ...awsFailure('InternalServerError', `The call failed here: ${error.code ?? error.name}.`),
  status: 500,
});

/**
 * Starts the local endpoint of CloudWatch, Cognito, DynamoDB, EventBridge, KMS, Lambda and S3 on a random loopback address. It identifies each
 * function by the random access key id created for it at this start, rejects requests with any other, enforces its grants, and forwards
 * calls to the engine or a local stand-in.
 */
export const startAwsEndpoint = async (options: AwsEndpointOptions) => {
  const runner = makeCredentials();
  const byOperation = new Map<string, typeof runner>();
  /** Undefined for the runner. */
  const callers = new Map<string, Caller | undefined>([[runner.accessKeyId, undefined]]);
  for (const [operationId, permissions] of Object.entries(options.functions)) {
    const credentials = makeCredentials();
    byOperation.set(operationId, credentials);
    callers.set(credentials.accessKeyId, { operationId, permissions });
  }
  const services = createServices(options);

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const raw = await readBody(request, REQUEST_LIMIT);
    if (raw === undefined) return awsFailure('RequestEntityTooLarge', 'The request exceeds 16 MB.');
    const id = accessKeyIdOf(request.headers);
    if (!callers.has(id))
      return awsFailure(
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
      );
    const call = callOf(request, raw);
    if (call === undefined) return awsFailure('SerializationException', 'This is not a call of a known API.');
    return services.answer(callers.get(id), call, raw);
  };

  const server = createServer(async (request, response) => {
    const { status, body } = await answer(request).catch(failure);
    response
      .writeHead(status, {
        'content-type': 'application/x-amz-json-1.0',
        'content-length': Buffer.byteLength(body),
      })
      .end(body);
  });
  // The clients reuse connections: one that closed during a call would fail it.
  server.keepAliveTimeout = 0;
  const url = `http://${await listenOnLoopback(server)}`;

  return {
    url,
    /** Throws if no function has this operation id. */
    credentialsOf: (operationId: string) => {
      const credentials = byOperation.get(operationId);
      if (credentials === undefined) throw new Error(`There is no function ${operationId}.`);
      return credentials;
    },
    /** These may do everything. */
    runnerCredentials: runner,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      services.stop();
    },
  };
};

export type AwsEndpoint = Awaited<ReturnType<typeof startAwsEndpoint>>;
