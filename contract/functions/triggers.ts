import type { StackFunction } from './grants.ts';
import { BIND_PERSON, FIND_INVITATION, INVITE, READ_USERS } from './shared-grants.ts';

// Functions that the user pool or a deployment invokes.

export const PRE_TOKEN: StackFunction = {
  id: 'pre-token',
  summary: 'Adds the e-mail address of an operator to the access token, for the audit log.',
  timeoutSeconds: 5,
  memoryMb: 128,
  grants: [],
};

/** With company sign-in, it also finds the operator who a person is. Cognito waits for five seconds. */
export const COMPANY_PRE_TOKEN: StackFunction = {
  ...PRE_TOKEN,
  summary: 'Adds the address or, for a person of the company, the id of the operator to the access token.',
  memoryMb: 1_024,
  grants: BIND_PERSON,
};

export const PRE_SIGN_UP: StackFunction = {
  id: 'pre-sign-up',
  summary: 'Admits those people of the company whom an administrator has invited.',
  timeoutSeconds: 5,
  memoryMb: 1_024,
  grants: [FIND_INVITATION],
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

export const TRIGGERS: readonly StackFunction[] = [
  COMPANY_PRE_TOKEN,
  PRE_SIGN_UP,
  FIRST_OPERATOR,
  PUBLIC_KEY,
];
