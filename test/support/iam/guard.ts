import { ACCOUNT_PRINCIPAL } from './arns.ts';
import { type AccessRequest, type Decision, evaluateUse, type Statement } from './policies.ts';
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

const reasonOf = (decision: Decision, { action, context }: AccessRequest): string => {
  const keys = context['dynamodb:LeadingKeys'];
  const why =
    decision === 'explicit-deny'
      ? 'with an explicit deny in a policy'
      : `because no policy allows the ${action} action`;
  return keys === undefined ? why : `${why} for leading keys ${JSON.stringify(keys)}`;
};

const decide = (fn: GuardedFunction, policies: ResourcePolicies, request: AccessRequest): Decision => {
  const evaluated = {
    resource: policies[request.resource.replace(/(?<=^arn:aws:s3:::[^/]+)\/.*/, '')] ?? [],
    identity: fn.statements,
    role: fn.roleArn,
    account: ACCOUNT_PRINCIPAL,
  };
  return evaluateUse(evaluated, request);
};

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
  const request = { ...rest, context: { ...context, ...caller } };
  const decision = decide(fn, policies, request);
  if (decision === 'allowed') return undefined;
  const { action, resource } = request;
  return `User: ${fn.roleArn} (function ${fn.operationId}) is not authorized to perform: ${action} on resource: ${resource} ${reasonOf(decision, request)}`;
};

const KEYS = 'dynamodb:LeadingKeys';

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
 * AWS's message of the first denial, with the function and the leading keys, or undefined. What the evaluator does not support is denied, with the evaluator's message.
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
