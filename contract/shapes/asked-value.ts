import * as z from 'zod/mini';
import { secretValue } from '../fields/secrets.ts';
import { LIMITS, utf8Bytes } from '../limits.ts';

/** It may not be part of the value. */
export const LINE_END = /\r?\n$/;

/** A value that someone asks for: shorter ones can be guessed, and are equal by chance. */
export const askedValue = secretValue.check(
  z.refine(
    (value) => utf8Bytes(value.replace(LINE_END, '')) >= LIMITS.leastAskedBytes,
    `must have at least ${LIMITS.leastAskedBytes} bytes: shorter ones can be guessed`,
  ),
);
