import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { described, longText, nameText, text } from './fields.ts';
import { SECRET_KEY_PATTERN } from './patterns.ts';

export const secretKey = nameText(
  LIMITS.secretKeyBytes,
  'Name of the secret, typically the name of an environment variable.',
).check(z.regex(SECRET_KEY_PATTERN, 'must not contain "=" or control characters'));

export const environmentName = text(LIMITS.environmentBytes, 'Name of an environment.').check(
  z.regex(
    /^[a-z0-9][a-z0-9-]*$/,
    'must contain only lower-case letters, digits and "-", and not begin with "-"',
  ),
);

export const secretValue = longText(LIMITS.secretValueBytes, 'Value of the secret.');

/** The name of an environment, or all of them. */
export const environmentOrAll = z.union(
  [z.literal('*'), environmentName],
  'must be the name of an environment, or "*"',
);

/** The environment whose secrets a request is about. */
export const inEnvironment = {
  environment: z.optional(
    described(environmentName, 'The environment whose secrets are meant. @default default'),
  ),
};
