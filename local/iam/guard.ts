import { ACCOUNT_PRINCIPAL } from '../aws/account.ts';
import { type AccessRequest, type Decision, evaluate, evaluateForKey, type Statement } from './policies.ts';
import { requestsOf } from './requests.ts';

/** A function and its policies. */
export interface GuardedFunction {
  readonly operationId: string;
  readonly roleArn: string;
  readonly statements: readonly Statement[];
}

/** The KMS keys and their policies. */
export interface GuardedKeys {
  /** The key of a call that names none. */
  readonly vaultKeyArn: string;
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

const decide = (fn: GuardedFunction, { policies }: GuardedKeys, request: AccessRequest): Decision =>
  request.action.startsWith('kms:')
    ? evaluateForKey(
        {
          key: policies[request.resource] ?? [],
          identity: fn.statements,
          role: fn.roleArn,
          account: ACCOUNT_PRINCIPAL,
        },
        request,
      )
    : evaluate(fn.statements, request);

const judge = (
  fn: GuardedFunction,
  keys: GuardedKeys,
  { context, ...rest }: AccessRequest,
): Denial | undefined => {
  const request = { ...rest, context: { ...context, 'aws:PrincipalArn': fn.roleArn } };
  const decision = decide(fn, keys, request);
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
 * Evaluates a call of a function against its role's policies, and a call of KMS against the key policy too. Returns
 * the first denial, or undefined. What the evaluator does not support is denied, with the evaluator's message.
 */
export const denialOf = (
  fn: GuardedFunction,
  keys: GuardedKeys,
  target: string,
  body: unknown,
): Denial | undefined => {
  try {
    for (const request of requestsOf(target, body, keys.vaultKeyArn)) {
      const denial = judge(fn, keys, request);
      if (denial !== undefined) return denial;
    }
    return undefined;
  } catch (error) {
    return { operationId: fn.operationId, action: target, message: (error as Error).message };
  }
};
