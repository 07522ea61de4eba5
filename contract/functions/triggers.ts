import type { StackFunction } from './grants.ts';

/** A function that the user pool or a deployment invokes. */
export interface Trigger extends StackFunction {
  /** A trigger uses neither the table nor the vault key. */
  readonly grants: readonly [];
}

export const PRE_TOKEN: Trigger = {
  id: 'pre-token',
  summary: 'Adds the e-mail address of an operator to the access token, for the audit log.',
  timeoutSeconds: 5,
  memoryMb: 128,
  grants: [],
};

export const FIRST_OPERATOR: Trigger = {
  id: 'first-operator',
  summary: 'Invites the first operator unless an administrator has already signed in.',
  timeoutSeconds: 120,
  memoryMb: 256,
  grants: [],
};

export const PUBLIC_KEY: Trigger = {
  id: 'public-key',
  summary: 'Fetches the public key that verifies rows, at deployment.',
  timeoutSeconds: 90,
  memoryMb: 128,
  grants: [],
};

export const TRIGGERS: readonly Trigger[] = [PRE_TOKEN, FIRST_OPERATOR, PUBLIC_KEY];
