import { INVITE, READ_USERS } from '../shapes/operators.ts';
import type { StackFunction } from './grants.ts';

// Functions that the user pool or a deployment invokes.

export const PRE_TOKEN: StackFunction = {
  id: 'pre-token',
  summary: 'Adds the e-mail address of an operator to the access token, for the audit log.',
  timeoutSeconds: 5,
  memoryMb: 128,
  grants: [],
};

export const FIRST_OPERATOR: StackFunction = {
  id: 'first-operator',
  summary: 'Invites the first operator unless an administrator has already signed in.',
  timeoutSeconds: 120,
  memoryMb: 512,
  grants: [...READ_USERS, ...INVITE],
};

export const PUBLIC_KEY: StackFunction = {
  id: 'public-key',
  summary: 'Fetches the public key that verifies rows, at deployment.',
  timeoutSeconds: 90,
  memoryMb: 128,
  grants: [],
};

export const TRIGGERS: readonly StackFunction[] = [PRE_TOKEN, FIRST_OPERATOR, PUBLIC_KEY];
