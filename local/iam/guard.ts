import { ACCOUNT_PRINCIPAL } from '../aws/account.ts';
import {
  type AccessRequest,
  type Decision,
  evaluateForKey,
  evaluateTogether,
  type Statement,
} from './policies.ts';
import { requestsOf } from './requests.ts';

/** A function and its policies. */
export interface GuardedFunction {
  readonly operationId: string;
  readonly roleArn: string;
  readonly functionArn: string;
  readonly statements: readonly Statement[];
}

/** What has a policy of its own: the KMS keys and the table. */
export interface GuardedResources {
  /** The key of a call that names none. */
  readonly vaultKeyArn: string;
  /** The policy of each resource, by its ARN. */
  readonly policies: Readonly<Record<string, readonly Statement[]>>;
}

/** A denied request of a function. */
export interface Denial {
  readonly operationId: string;
  readonly action: string;
  /** The message of AWS, with the function and the leading keys. */
  readonly message: string;
}

const reasonOf = (decision: Decision, { action, context }: AccessRequest): string => {
  const keys = context['dynamodb:LeadingKeys'];
  const why =
    decision === 'explicit-deny'
      ? 'with an explicit deny in a policy'
      : `because no policy allows the ${action} action`;
  return keys === undefined ? why : `${why} for leading keys ${JSON.stringify(keys)}`;
};

const decide = (fn: GuardedFunction, { policies }: GuardedResources, request: AccessRequest): Decision => {
  const evaluated = {
    resource: policies[request.resource] ?? [],
    identity: fn.statements,
    role: fn.roleArn,
    account: ACCOUNT_PRINCIPAL,
  };
  return request.action.startsWith('kms:')
    ? evaluateForKey(evaluated, request)
    : evaluateTogether(evaluated, request);
};

const judge = (
  fn: GuardedFunction,
  resources: GuardedResources,
  { context, ...rest }: AccessRequest,
): Denial | undefined => {
  const caller = { 'aws:PrincipalArn': fn.roleArn, 'lambda:SourceFunctionArn': fn.functionArn };
  const request = { ...rest, context: { ...context, ...caller } };
  const decision = decide(fn, resources, request);
  if (decision === 'allowed') return undefined;
  const { operationId, roleArn } = fn;
  const { action, resource } = request;
  return {
    operationId,
    action,
    message: `User: ${roleArn} (function ${operationId}) is not authorized to perform: ${action} on resource: ${resource} ${reasonOf(decision, request)}`,
  };
};

/**
 * Evaluates a call of a function against its role's policies, and against the policy of the key or table too. Returns
 * the first denial, or undefined. What the evaluator does not support is denied, with the evaluator's message.
 */
export const denialOf = (
  fn: GuardedFunction,
  resources: GuardedResources,
  target: string,
  body: unknown,
): Denial | undefined => {
  try {
    for (const request of requestsOf(target, body, resources.vaultKeyArn)) {
      const denial = judge(fn, resources, request);
      if (denial !== undefined) return denial;
    }
    return undefined;
  } catch (error) {
    return { operationId: fn.operationId, action: target, message: (error as Error).message };
  }
};
