import * as z from 'zod/mini';
import { messageList } from '../../content/shapes.ts';
import { endpoint } from '../../endpoint.ts';
import { described, freeObject, label, promptName } from '../../fields/fields.ts';
import { count } from '../../shapes/common.ts';
import { promptGetCompiled } from './prompt-get-compiled.ts';

const version = z.string().check(
  z.regex(/^[1-9]\d{0,14}$/, { error: 'must be a whole number from 1 to 999999999999999' }),
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
    z.refine(({ version, label }) => version === undefined || label === undefined, {
      error: 'Send at most one of "version" and "label".',
    }),
  );

export const promptGetLangfuse = endpoint({
  id: 'prompt-get-langfuse',
  route: { method: 'GET', path: '/api/public/v2/prompts/{name+}' },
  access: { kind: 'api-key', permission: 'prompts' },
  form: 'langfuse',
  params: z.object({ name: promptName }),
  query,
  reply: z.object({
    name: promptName,
    version: count(
      'The version as a whole number; 0 if it has none: if its major version is 0, or the minor or patch version is above 999.',
    ),
    type: z.enum(['text', 'chat']),
    prompt: z.union([
      described(z.string(), 'The template of a text prompt.'),
      messageList('The messages of a chat prompt.'),
    ]),
    config: freeObject('`config` of this version.'),
    labels: described(z.array(z.string()), 'The labels of this version, with `latest` if it is the highest.'),
    tags: z.array(z.string()),
  }),
  errors: ['prompt_not_found', 'version_not_found', 'label_not_found', 'reply_too_large'],
  memoryMb: promptGetCompiled.memoryMb,
  timeoutSeconds: promptGetCompiled.timeoutSeconds,
  grants: promptGetCompiled.grants,
  summary: "Fetch a prompt with Langfuse's clients",
  description:
    'Replies as Langfuse does, without the envelope, so that its clients read prompts from here: set their base URL to this service and their secret key to an API key. The clients compile on their own; defaults of variables do not apply. Each successful call is recorded in the access history of the prompt.',
  examples: [
    {
      summary: 'The version with the label "production"',
      params: { name: 'support/chat' },
      res: {
        name: 'support/chat',
        version: 1_002_000,
        type: 'chat',
        prompt: [
          { type: 'chatmessage', role: 'system', content: 'You are {{tone}}.' },
          { type: 'placeholder', name: 'history' },
        ],
        config: { temperature: 0.2 },
        labels: ['latest', 'production'],
        tags: [],
      },
    },
  ],
});
