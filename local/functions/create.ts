import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { REGION } from '../aws/account.ts';
import type { AwsEndpoint } from '../aws/endpoint.ts';
import type { JwtSettings } from '../gateway/jwt-authorizer.ts';
import type { Assembly } from '../template/assembly.ts';
import type { Template, TemplateFunction } from '../template/template.ts';
import { createFunction, type LocalFunction, type Outcome } from './functions.ts';

interface TokenSettings extends JwtSettings {
  /** Address of the issuer's keys. */
  readonly keysAt: string;
}

// The local identity provider replaces the user pool.
const tokenEnvironment = (
  { environment }: TemplateFunction,
  { issuer, audience, keysAt }: TokenSettings,
): Record<string, string> =>
  ENVIRONMENT.tokenIssuer in environment
    ? {
        [ENVIRONMENT.tokenIssuer]: issuer,
        [ENVIRONMENT.tokenClient]: audience,
        [ENVIRONMENT.tokenKeys]: keysAt,
      }
    : {};

const environmentOf = (
  fn: TemplateFunction,
  aws: AwsEndpoint,
  tokens: TokenSettings,
): Record<string, string> => {
  const { accessKeyId, secretAccessKey } = aws.credentialsOf(fn.operationId);
  return {
    ...fn.environment,
    ...tokenEnvironment(fn, tokens),
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_ENDPOINT_URL: aws.url,
    AWS_LAMBDA_FUNCTION_NAME: fn.operationId,
    AWS_REGION: REGION,
    NODE_ENV: 'production',
  };
};

/** Each function of the template by its operation id, with its own credentials for the endpoint. */
export const createFunctions = (
  template: Template,
  assembly: Assembly,
  aws: AwsEndpoint,
  tokens: TokenSettings,
  onLog: (line: string) => void,
): Map<string, LocalFunction> =>
  new Map(
    template.functions.map((fn) => [
      fn.operationId,
      createFunction(
        {
          operationId: fn.operationId,
          bundle: assembly.bundleOf(fn.operationId),
          environment: environmentOf(fn, aws, tokens),
          timeoutSeconds: fn.timeoutSeconds,
        },
        onLog,
      ),
    ]),
  );

/** Invokes a function by its operation id. */
export const invokeWith =
  (functions: ReadonlyMap<string, LocalFunction>) =>
  async (operationId: string, event: unknown): Promise<Outcome> =>
    (await functions.get(operationId)?.invoke(event)) ?? { failure: `There is no function ${operationId}.` };
