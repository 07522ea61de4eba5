/** A function that the user pool invokes. */
export interface Trigger {
  readonly id: string;
  readonly summary: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /** A trigger sees its event and nothing else. */
  readonly grants: readonly [];
}

export const PRE_TOKEN: Trigger = {
  id: 'pre-token',
  summary: 'Adds the e-mail address of an operator to the access token, for the audit.',
  timeoutSeconds: 5,
  memoryMb: 128,
  grants: [],
};

export const TRIGGERS: readonly Trigger[] = [PRE_TOKEN];
