import * as z from 'zod/mini';
import { LIST_KEYS, READ_VAULT_USE } from '../admin.ts';
import { secretValue } from '../fields/fields.ts';
import type { Grant } from '../functions/grants.ts';
import { LIMITS, utf8Bytes } from '../limits.ts';
import { onTable } from '../table.ts';

/** It may not be part of the value. */
export const LINE_END = /\r?\n$/;

/** A value that someone asks for: shorter ones can be guessed, and are equal by chance. */
export const askedValue = secretValue.check(
  z.refine((value) => utf8Bytes(value.replace(LINE_END, '')) >= LIMITS.leastAskedBytes, {
    error: `must have at least ${LIMITS.leastAskedBytes} bytes: shorter ones can be guessed`,
  }),
);

/** All values are read and opened, and who read them; each question is in the audit log. */
export const COMPARE_VALUES: readonly Grant[] = [
  onTable('GetItem', 'vault', 'vaultPage', 'vaultKey'),
  onTable('Query', 'vault', 'secret', 'auditChange'),
  ...READ_VAULT_USE,
  ...LIST_KEYS,
  { on: 'vault-key', actions: ['Decrypt'] },
  onTable('PutItem', 'auditChange'),
  onTable('UpdateItem', 'questions'),
];
