import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { described, label, promptName } from '../../fields/fields.ts';
import { FETCH, promptGetCompiled } from './prompt-get-compiled.ts';

const version = z.string().check(
  z.regex(/^[1-9]\d{0,14}$/, 'must be a whole number from 1 to 999999999999999'),
  z.meta({
    description:
      'The version as a whole number: 1002003 is 1.2.3, and a number below 1000000 is a major version, such as 7 for 7.0.0.',
  }),
);

// Langfuse's clients may send parameters of theirs that mean nothing here.
const query = z
  .object({
    label: z.optional(
      described(label, 'A label, or `latest` for the highest version. By default `production`.'),
    ),
    version: z.optional(version),
  })
  .check(
    z.refine(
      ({ version, label }) => version === undefined || label === undefined,
      'Send at most one of "version" and "label".',
    ),
  );

export const promptGetLangfuse = endpoint({
  id: 'prompt-get-langfuse',
  route: { method: 'GET', path: '/api/public/v2/prompts/{name+}' },
  access: { kind: 'api-key', permission: 'prompts' },
  form: 'langfuse',
  params: z.object({ name: promptName }),
  query,
  errors: ['prompt_not_found', 'version_not_found', 'label_not_found', 'reply_too_large'],
  memoryMb: promptGetCompiled.memoryMb,
  timeoutSeconds: promptGetCompiled.timeoutSeconds,
  grants: FETCH,
  summary: "Fetch a prompt with Langfuse's clients",
});
