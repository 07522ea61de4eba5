import { type Condition, type Context, conditionHolds, listOf } from './conditions.ts';
import { matchesArn, matchesGlob } from './matching.ts';

type OneOrMore = string | readonly string[];

/** A statement of an identity policy, or with `Principal` of a resource's own policy. */
export interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action?: OneOrMore;
  readonly NotAction?: OneOrMore;
  readonly Resource?: OneOrMore;
  readonly NotResource?: OneOrMore;
  readonly Principal?: string | Readonly<Record<string, OneOrMore>>;
  readonly Condition?: Condition;
}

/** One thing that someone asks to do. */
export interface AccessRequest {
  /** Such as `dynamodb:GetItem`. */
  readonly action: string;
  /** ARN of the table, index or key. */
  readonly resource: string;
  readonly context: Context;
}

export type Decision = 'allowed' | 'explicit-deny' | 'implicit-deny';

const ELEMENTS = new Set([
  'Sid',
  'Effect',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Principal',
  'Condition',
]);

const check = (statement: Statement): void => {
  const unknown = Object.keys(statement).find((element) => !ELEMENTS.has(element));
  if (unknown !== undefined) throw new Error(`The policy element ${unknown} cannot be judged here.`);
  if (statement.Effect !== 'Allow' && statement.Effect !== 'Deny')
    throw new Error(`A policy statement has the effect ${statement.Effect}.`);
};

/** Judges an element and its `Not…` twin, exactly one of which a statement must have. */
const covers = (
  name: string,
  positive: OneOrMore | undefined,
  negative: OneOrMore | undefined,
  test: (pattern: string) => boolean,
): boolean => {
  if ((positive === undefined) === (negative === undefined))
    throw new Error(`A policy statement needs either ${name} or Not${name}.`);
  return positive === undefined ? !listOf(negative ?? []).some(test) : listOf(positive).some(test);
};

const PRINCIPAL_KINDS = new Set(['AWS', 'Service', 'Federated', 'CanonicalUser']);

const coversPrincipal = (principal: Statement['Principal'], names: readonly string[]): boolean => {
  if (principal === undefined || principal === '*') return true;
  if (typeof principal === 'string') throw new Error(`The principal ${principal} cannot be judged here.`);
  const unknown = Object.keys(principal).find((kind) => !PRINCIPAL_KINDS.has(kind));
  if (unknown !== undefined) throw new Error(`The principal kind ${unknown} cannot be judged here.`);
  return listOf(principal.AWS ?? []).some((each) => each === '*' || names.includes(each));
};

const applies = (
  statement: Statement,
  { action, resource, context }: AccessRequest,
  principals: readonly string[],
): boolean => {
  check(statement);
  const { Action, NotAction, Resource, NotResource, Principal, Condition = {} } = statement;
  return (
    coversPrincipal(Principal, principals) &&
    covers('Action', Action, NotAction, (each) => matchesGlob(each.toLowerCase(), action.toLowerCase())) &&
    covers('Resource', Resource, NotResource, (each) => matchesArn(each, resource)) &&
    conditionHolds(Condition, context)
  );
};

/**
 * Judges a request by the statements of one policy or several of the same kind: an applying Deny wins over every Allow,
 * and what nothing allows is denied. `principals` are the ARNs that whoever asks goes by, for statements that name a
 * principal. Throws on anything in a statement that it does not know.
 */
export const evaluate = (
  statements: readonly Statement[],
  request: AccessRequest,
  principals: readonly string[] = [],
): Decision => {
  const effects = new Set(
    statements.filter((each) => applies(each, request, principals)).map(({ Effect }) => Effect),
  );
  if (effects.has('Deny')) return 'explicit-deny';
  return effects.has('Allow') ? 'allowed' : 'implicit-deny';
};

export interface KeyPolicies {
  /** The policy of the key itself. */
  readonly key: readonly Statement[];
  /** The policies of the role that asks. */
  readonly identity: readonly Statement[];
  readonly role: string;
  /** The account as a principal (`…:root`). */
  readonly account: string;
}

/**
 * Judges the use of a KMS key from its own account: a Deny in either policy wins; else the key policy allows the role
 * itself, or it allows the account and the role's own policies allow the role
 * (docs.aws.amazon.com/kms/latest/developerguide, "Troubleshooting key access").
 */
export const evaluateForKey = (
  { key, identity, role, account }: KeyPolicies,
  request: AccessRequest,
): Decision => {
  const byIdentity = evaluate(identity, request);
  const byAccount = evaluate(key, request, [role, account]);
  if (byIdentity === 'explicit-deny' || byAccount === 'explicit-deny') return 'explicit-deny';
  if (evaluate(key, request, [role]) === 'allowed') return 'allowed';
  return byAccount === 'allowed' ? byIdentity : 'implicit-deny';
};
