import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { pathLabel } from '../shapes/common.ts';
import { described, tags, text } from './fields.ts';

// The name of an API key, its limits, and when it expires.

export const keyName = text(LIMITS.keyNameBytes, 'Name of the key.');

export const keyTags = tags('The key reads only secrets that have all of these tags. Empty: every secret.');

export const keyPrompts = z
  .array(text(LIMITS.promptNameBytes, 'Name of a prompt, or the beginning of names followed by `*`.'), {
    error: 'must be an array of strings',
  })
  .check(
    z.maxLength(LIMITS.keyPrompts, { error: `must contain at most ${LIMITS.keyPrompts} names` }),
    z.meta({
      description:
        'Names of the prompts that the key can fetch and publish. One that ends in `*`, such as `support/*`, allows all names with this beginning. For this key, other prompts do not exist. Empty: every prompt.',
    }),
  );

export const keyLabels = z.array(pathLabel, { error: 'must be an array of strings' }).check(
  z.maxLength(LIMITS.labels, { error: `must contain at most ${LIMITS.labels} labels` }),
  z.meta({
    description:
      'The labels that a key with the permission `publish` may set, move and remove; none by default. Protected labels are never among them.',
  }),
);

export const keyExpiry = described(
  z.iso.datetime({ error: 'must be a time in UTC, such as "2030-01-31T00:00:00Z"' }),
  'When the key expires. ISO 8601 in UTC.',
);
