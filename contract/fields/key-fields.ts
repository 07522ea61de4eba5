import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { tags, text } from './fields.ts';

// What an API key is called, what it is limited to, and when it expires.

export const keyName = text(LIMITS.keyNameBytes, 'Name of the key.');

export const keyTags = tags('The key reads only secrets that have all of these tags. Empty: every secret.');

export const keyPrompts = z
  .array(text(LIMITS.promptNameBytes, 'Name of a prompt, or how names begin, followed by `*`.'), {
    error: 'must be an array of strings',
  })
  .check(
    z.maxLength(LIMITS.keyPrompts, { error: `must hold at most ${LIMITS.keyPrompts} names` }),
    z.meta({
      description:
        'The key fetches only prompts with these names, or with names that begin as those that end in `*`, such as `support/*`. For this key, other prompts do not exist. Empty: every prompt.',
    }),
  );

export const keyExpiry = z.iso
  .datetime({ error: 'must be a time in UTC, such as "2030-01-31T00:00:00Z"' })
  .check(z.meta({ description: 'When the key expires. ISO 8601 in UTC.' }));
