import { type Condition, type Context, conditionHolds, listOf } from './conditions.ts';
import { matchesArn, matchesGlob } from './matching.ts';

type OneOrMore = string | readonly string[];

/** A statement of an identity policy or, with `Principal`, of a resource policy. */
export interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action: OneOrMore;
  readonly Resource: OneOrMore;
  readonly Principal?: string | Readonly<Record<string, OneOrMore>>;
  readonly Condition?: Condition;
}

/** One requested action. */
export interface AccessRequest {
  /** Such as `dynamodb:GetItem`. */
  readonly action: string;
  /** ARN of the table, index or key. */
  readonly resource: string;
  readonly context: Context;
}

export type Decision = 'allowed' | 'explicit-deny' | 'implicit-deny';

const ELEMENTS = new Set(['Sid', 'Effect', 'Action', 'Resource', 'Principal', 'Condition']);

const check = (statement: Statement): void => {
  const unknown = Object.keys(statement).find((element) => !ELEMENTS.has(element));
  if (unknown !== undefined)
    throw new Error(`The policy element ${unknown} is not supported by the local policy evaluation.`);
  if (statement.Effect !== 'Allow' && statement.Effect !== 'Deny')
    throw new Error(`A policy statement has the effect ${statement.Effect}.`);
};

const PRINCIPAL_KINDS = new Set(['AWS', 'Service', 'Federated', 'CanonicalUser']);

const coversPrincipal = (principal: Statement['Principal'], names: readonly string[]): boolean => {
  if (principal === undefined || principal === '*') return true;
  if (typeof principal === 'string')
    throw new Error(`The principal ${principal} is not supported by the local policy evaluation.`);
  const unknown = Object.keys(principal).find((kind) => !PRINCIPAL_KINDS.has(kind));
  if (unknown !== undefined)
    throw new Error(`The principal kind ${unknown} is not supported by the local policy evaluation.`);
  return listOf(principal.AWS ?? []).some((each) => each === '*' || names.includes(each));
};

const covering = (
  statement: Statement,
  { action, resource }: AccessRequest,
  principals: readonly string[],
): boolean => {
  check(statement);
  const { Action, Resource, Principal } = statement;
  return (
    coversPrincipal(Principal, principals) &&
    listOf(Action).some((each) => matchesGlob(each.toLowerCase(), action.toLowerCase())) &&
    listOf(Resource).some((each) => matchesArn(each, resource))
  );
};

/**
 * Evaluates a request against the statements of one or more policies of the same kind: a matching Deny overrides every
 * Allow, and anything not allowed is denied. `principals` are the ARNs of the caller, for statements that name a
 * principal. Throws on statement elements that it does not support.
 */
export const evaluate = (
  statements: readonly Statement[],
  request: AccessRequest,
  principals: readonly string[] = [],
): Decision => {
  const effects = new Set(
    statements
      .filter((each) => covering(each, request, principals))
      .filter(({ Condition = {} }) => conditionHolds(Condition, request.context))
      .map(({ Effect }) => Effect),
  );
  if (effects.has('Deny')) return 'explicit-deny';
  return effects.has('Allow') ? 'allowed' : 'implicit-deny';
};

export interface Policies {
  /** The policy of the resource itself. */
  readonly resource: readonly Statement[];
  /** The policies of the calling role. */
  readonly identity: readonly Statement[];
  readonly role: string;
  /** The account as a principal (`…:root`). */
  readonly account: string;
}

/**
 * Evaluates the use of a resource from its own account: a Deny in either policy wins; otherwise an Allow in either is
 * enough, but a key policy must allow the role itself, or allow the account while the role's own policies allow the role
 * (docs.aws.amazon.com/kms/latest/developerguide, "Troubleshooting key access").
 */
export const evaluateUse = (
  { resource, identity, role, account }: Policies,
  request: AccessRequest,
): Decision => {
  const byIdentity = evaluate(identity, request);
  const byAccount = evaluate(resource, request, [role, account]);
  const decisions = [byIdentity, byAccount];
  if (decisions.includes('explicit-deny')) return 'explicit-deny';
  const isKey = request.action.startsWith('kms:');
  if (isKey && evaluate(resource, request, [role]) !== 'allowed')
    return byAccount === 'allowed' ? byIdentity : 'implicit-deny';
  return decisions.includes('allowed') ? 'allowed' : 'implicit-deny';
};
