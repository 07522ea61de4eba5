import { outranks, type Role } from '../../contract/fields/access.ts';
import { OPERATOR_CLAIM } from '../../contract/sign-in.ts';
import { daysAfter } from './days.ts';
import { CuevaultError } from './errors.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** The record of an operator, which says what they may do. Times are ISO 8601 in UTC. */
export interface Operator {
  /**
   * Access tokens carry it: as `username` if it is the name of an account with a password, and as a claim of its own for
   * a person of the company.
   */
  readonly operatorId: string;
  /** The address that they were invited with. The audit log names them by it. */
  readonly email: string;
  readonly group: Role;
  /** A record is never deleted. `invited` are only people of the company. */
  readonly status: 'active' | 'disabled' | 'removed' | 'invited';
  /** Who says who they are: the user pool or, through it, the company. */
  readonly identity: 'native' | 'federated';
  readonly invitedAt: string;
  readonly invitedBy: string;
  /** When the invitation of a person ends that nobody has accepted. */
  readonly invitedUntil?: string | undefined;
  /** The id of the person at the company, once they have signed in. */
  readonly userId?: string | undefined;
  /** People with the address, which the company does not say is verified, who ask for the invitation. */
  readonly requests?: readonly InvitationRequest[] | undefined;
  /** The `requestId` of the one who may take the invitation, whom an administrator has confirmed. */
  readonly reservedFor?: string | undefined;
  /** The address that the company says they have now, and that another operator has. */
  readonly refusedEmail?: string | undefined;
  /** Whoever signed in before has to sign in again. */
  readonly sessionsEndedAt?: string | undefined;
  /** Increases with every change. */
  readonly rev: number;
}

/** Somebody of the company who asks for an invitation. The time is ISO 8601 in UTC. */
export interface InvitationRequest {
  /** Provider and id of the person, as `personId` in `store/operators/people.ts` joins them. */
  readonly requestId: string;
  readonly requestedAt: string;
}

/** How long an invitation is open, and a request for it. */
export const INVITED_DAYS = 14;

/** The requests for an invitation that are not too old. */
export const openRequests = ({ requests = [] }: Operator, at: Date): readonly InvitationRequest[] => {
  const oldest = daysAfter(at, -INVITED_DAYS).toISOString();
  return requests.filter(({ requestedAt }) => requestedAt > oldest);
};

/** Whether an operator is an invitation that nobody has accepted in time. */
export const isExpired = ({ status, invitedUntil = '' }: Operator, at: Date): boolean =>
  status === 'invited' && invitedUntil <= at.toISOString();

/** An address as it is compared. Only ASCII is folded: `toLowerCase` also makes a `k` of U+212A. */
export const foldedAddress = (email: string): string =>
  email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const forbidden = (sentence: string) => new CuevaultError('forbidden', sentence);

/**
 * The id of the operator with these claims: that of a person of the company is only in the token if somebody has
 * invited them.
 */
export const operatorIdIn = ({
  token_use: use,
  username,
  [OPERATOR_CLAIM]: id = username,
}: Claims): string => {
  if (use !== 'access') throw forbidden('An access token is required, not another kind of token.');
  if (typeof id === 'string' && id !== '') return id;
  throw forbidden('The access token does not identify an operator.');
};

/** Checks that an operator exists, is active, has at least a role, and has signed in since their sessions were ended. */
export const admitOperator = (operator: Operator | undefined, role: Role, claims: Claims): Operator => {
  if (operator?.status !== 'active')
    throw forbidden('You are not, or no longer, an operator here. Ask an administrator to invite you.');
  const { sessionsEndedAt } = operator;
  // In whole seconds: a sign-in in the very second in which the sessions ended counts as one before.
  if (sessionsEndedAt !== undefined && !(Number(claims.auth_time) * 1_000 >= Date.parse(sessionsEndedAt)))
    throw new CuevaultError('unauthenticated', 'Your session was ended. Sign out, then sign in again.');
  if (outranks(operator.group, role)) return operator;
  throw forbidden(`This requires the group "${role}". Ask an administrator to add you to it.`);
};
