import type { Role } from '../../contract/endpoint.ts';
import { CuevaultError } from './errors.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** The record of an operator, which says what they may do. Times are ISO 8601 in UTC. */
export interface Operator {
  /** The name of their account at the identity provider: access tokens carry it as `username`. */
  readonly operatorId: string;
  /** The address that they were invited with. The audit log names them by it. */
  readonly email: string;
  readonly group: Role;
  /** A record is never deleted. */
  readonly status: 'active' | 'disabled' | 'removed';
  /** Who says who they are: the user pool. */
  readonly identity: 'native';
  readonly invitedAt: string;
  readonly invitedBy: string;
  /** Increases with every change. */
  readonly rev: number;
}

const ROLES: readonly Role[] = ['viewer', 'editor', 'admin'];

const forbidden = (sentence: string) => new CuevaultError('forbidden', sentence);

/** The id of the operator with these claims. Errors: `forbidden`. */
export const operatorIdIn = ({ token_use: use, username }: Claims): string => {
  if (use !== 'access') throw forbidden('An access token is required, not another kind of token.');
  if (typeof username === 'string' && username !== '') return username;
  throw forbidden('The access token does not identify an operator.');
};

/** Checks that an operator exists, is active, and has at least a role. Errors: `forbidden`. */
export const admitOperator = (operator: Operator | undefined, role: Role): Operator => {
  if (operator?.status !== 'active')
    throw forbidden('You are not, or no longer, an operator here. Ask an administrator to invite you.');
  if (ROLES.indexOf(operator.group) >= ROLES.indexOf(role)) return operator;
  throw forbidden(`This requires the group "${role}". Ask an administrator to add you to it.`);
};
