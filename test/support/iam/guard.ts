import { ACCOUNT_PRINCIPAL } from './arns.ts';
import { type AccessRequest, evaluateUse, type Statement } from './policies.ts';
import { requestsOf } from './requests.ts';

/** A function and its policies. */
export interface GuardedFunction {
  readonly operationId: string;
  readonly roleArn: string;
  readonly functionArn: string;
  readonly statements: readonly Statement[];
}

/** The policies of the KMS keys, the table and the bucket, by the ARN of each. */
export type ResourcePolicies = Readonly<Record<string, readonly Statement[]>>;

const KEYS = 'dynamodb:LeadingKeys';

const judge = (
  fn: GuardedFunction,
  policies: ResourcePolicies,
  { context, ...rest }: AccessRequest,
): string | undefined => {
  const caller = {
    'aws:PrincipalArn': fn.roleArn,
    'aws:SecureTransport': 'true',
    'lambda:SourceFunctionArn': fn.functionArn,
  };
  const { action, resource } = rest;
  const evaluated = {
    resource: policies[resource.replace(/(?<=^arn:aws:s3:::[^/]+)\/.*/, '')] ?? [],
    identity: fn.statements,
    role: fn.roleArn,
    account: ACCOUNT_PRINCIPAL,
  };
  const decision = evaluateUse(evaluated, { ...rest, context: { ...context, ...caller } });
  if (decision === 'allowed') return undefined;
  const keys = JSON.stringify(context[KEYS] ?? []);
  return `${fn.operationId}: ${decision} of ${action} on ${resource} with the leading keys ${keys}`;
};

/**
 * The requests of a call, under everything that AWS may tell policies: it does not document whether a transaction names
 * the key of each item, those of all, or none, and whether a query of an index names its key.
 */
const readingsOf = (target: string, body: unknown): readonly AccessRequest[] => {
  const requests = requestsOf(target, body);
  const read = (keys: readonly string[] | undefined): AccessRequest[] =>
    requests.map(({ context: { [KEYS]: _, ...context }, ...rest }) => ({
      ...rest,
      context: keys === undefined ? context : { ...context, [KEYS]: keys },
    }));
  if (target.endsWith('.TransactWriteItems'))
    return [...requests, ...read(requests.flatMap(({ context }) => context[KEYS] ?? [])), ...read(undefined)];
  return requests.some(({ resource }) => resource.includes('/index/'))
    ? [...requests, ...read(undefined)]
    : requests;
};

/**
 * Evaluates a call of a function against its role's policies, and against the policy of the key, table or bucket too. Returns
 * the first denial, with the function and the leading keys, or undefined. What the evaluator does not support is denied, with the evaluator's message.
 */
export const denialOf = (
  fn: GuardedFunction,
  policies: ResourcePolicies,
  target: string,
  body: unknown,
): string | undefined => {
  try {
    for (const request of readingsOf(target, body)) {
      const denial = judge(fn, policies, request);
      if (denial !== undefined) return denial;
    }
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};
