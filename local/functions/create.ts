import { ENDPOINTS } from '../../contract/endpoints.ts';
import { COMMANDS } from '../../contract/functions/commands.ts';
import { CONSUMERS } from '../../contract/functions/consumers.ts';
import { JOBS } from '../../contract/functions/jobs.ts';
import { COMPANY_PRE_TOKEN, PRE_SIGN_UP } from '../../contract/functions/triggers.ts';
import { bundleOf } from '../assembly/assembly.ts';
import { REGION } from '../aws/account.ts';
import type { AwsEndpoint } from '../aws/endpoint.ts';
import { SIGNATURE } from '../engine/calls.ts';
import { denialOf, type Permissions } from './accesses.ts';
import { createFunction, type LocalFunction, type Outcome } from './functions.ts';
import { environmentOf, permissionsOf, type Verifying } from './grants.ts';

/** What a call of a function shows to a test: its target and its body. */
export type OnCall = (operationId: string, target: string, body: unknown) => void;

export interface FunctionsOptions {
  readonly aws: AwsEndpoint;
  readonly verifying: Verifying;
  /** Address of the engine, which the functions call directly. @default - they call it by `aws` */
  readonly engine: string | undefined;
  readonly onLog: (line: string) => void;
  /** Called after writes, at least once in 50 milliseconds. */
  readonly onWritten: (operationId: string) => void;
  /** Called with the first direct call of each kind. */
  readonly onCall?: OnCall | undefined;
}

/** The functions of the contract that run here. Those that deployments invoke do not. */
export const FUNCTIONS = [...ENDPOINTS, ...JOBS, ...COMMANDS, ...CONSUMERS, COMPANY_PRE_TOKEN, PRE_SIGN_UP];

/** What each function may do, by its operation id. */
export const PERMISSIONS: Readonly<Record<string, Permissions>> = Object.fromEntries(
  FUNCTIONS.map(({ id, grants }) => [id, permissionsOf(grants)]),
);

const directTo = (engine: string | undefined, permissions: Permissions) => {
  if (engine === undefined) return undefined;
  const { hostname: host, port } = new URL(engine);
  return { host, port, headers: SIGNATURE, permissions };
};

/** Each function by its operation id, with its own credentials for the endpoint. */
export const createFunctions = ({
  aws,
  verifying,
  engine,
  onLog,
  onWritten,
  onCall,
}: FunctionsOptions): Map<string, LocalFunction> =>
  new Map(
    FUNCTIONS.map((fn) => {
      const { id, timeoutSeconds, memoryMb } = fn;
      const { accessKeyId, secretAccessKey } = aws.credentialsOf(id);
      const environment = {
        ...environmentOf(fn, verifying),
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
        AWS_ENDPOINT_URL: aws.url,
        AWS_LAMBDA_FUNCTION_NAME: id,
        AWS_REGION: REGION,
        NODE_ENV: 'production',
      };
      const direct = directTo(engine, PERMISSIONS[id] ?? {});
      const settings = {
        operationId: id,
        bundle: bundleOf(id),
        environment,
        timeoutSeconds,
        memoryMb,
        direct,
      };
      const local = createFunction(settings, {
        onLog,
        onNotice: (notice) => {
          if ('denied' in notice) onLog(`${denialOf(id, notice.denied)}\n`);
          else if ('wrote' in notice) onWritten(id);
          else onCall?.(id, notice.target, notice.body);
        },
      });
      return [id, local];
    }),
  );

/** Invokes a function by its operation id. */
export const invokeWith =
  (functions: ReadonlyMap<string, LocalFunction>) =>
  async (operationId: string, event: unknown): Promise<Outcome> =>
    (await functions.get(operationId)?.invoke(event)) ?? { failure: `There is no function ${operationId}.` };
