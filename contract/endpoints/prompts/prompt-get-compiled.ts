import * as z from 'zod/mini';
import { extraReplyFields, messageList } from '../../content/shapes.ts';
import { endpoint } from '../../endpoint.ts';
import {
  described,
  flag,
  freeObject,
  label,
  promptId,
  promptName,
  tag,
  version,
} from '../../fields/fields.ts';
import { DEFAULT_SETTINGS } from '../../functions/environment.ts';
import { LIMITS } from '../../limits.ts';

const body = z
  .object(
    {
      name: z.optional(promptName),
      promptId: z.optional(promptId),
      id: z.optional(described(promptId, 'Another spelling of `promptId`.')),
      version: z.optional(version),
      label: z.optional(label),
      shouldCompile: z.optional(
        flag(
          'When `true`, the reply contains `compiledPrompt`: the template with its placeholders replaced.',
        ),
      ),
      variables: z.optional(
        freeObject(
          'Values for the placeholders, by name. Without a value, the declared default applies. Strings are inserted as they are, numbers and booleans as JSON, objects and arrays as compact JSON; `null` counts as absent.',
        ),
      ),
      strict: z.optional(
        flag(
          'When `true`, compiling fails with `missing_variables` if a variable has neither a value nor a default, and with `invalid_variables` if a value does not fit the declared type or enum.',
        ),
      ),
      metaProperties: z.optional(
        freeObject(
          `Stored with this call in the prompt's access history. A deployment accepts ${DEFAULT_SETTINGS.requestMetadataBytes} bytes as JSON unless its settings say otherwise.`,
          LIMITS.requestMetadataBytes,
        ),
      ),
    },
    { error: 'The body must be a JSON object, such as {"name": "greeting"}.' },
  )
  .check(
    z.refine(({ id, promptId }) => id === undefined || promptId === undefined || id === promptId, {
      error: 'Send either "promptId" or "id", not two different values.',
    }),
    z.refine(({ name, promptId, id }) => (name === undefined) !== ((promptId ?? id) === undefined), {
      error: 'Send exactly one of "name" and "promptId".',
    }),
    z.refine(({ version, label }) => version === undefined || label === undefined, {
      error: 'Send at most one of "version" and "label".',
    }),
  );

const HISTORY = { type: 'placeholder', name: 'history', optional: true };
const MESSAGES = [
  { role: 'system', content: 'You are {{tone}}.' },
  HISTORY,
  { role: 'user', content: '{{question}}' },
];
const COMPILED = [
  { role: 'system', content: 'You are friendly.' },
  HISTORY,
  { role: 'user', content: 'Where is my order?' },
];

const reply = z.object({
  promptId: described(z.string(), 'Unique identifier of the prompt.'),
  name: described(z.string(), 'Name of the prompt.'),
  version: described(z.string(), 'Version of the returned prompt.'),
  tags: described(z.array(tag), 'Tags of this version.'),
  metaProperties: freeObject('Metadata stored with this version.'),
  prompt: described(
    z.string(),
    'The template, with its placeholders and with its fragments expanded; of a chat, the JSON text of `messages`.',
  ),
  compiledPrompt: z.optional(
    described(
      z.string(),
      'The template with its placeholders replaced; of a chat, the JSON text of `compiledMessages`. Present only on request.',
    ),
  ),
  type: z.optional(described(z.literal('chat'), 'Present only for a chat.')),
  ...extraReplyFields,
  includes: z.optional(
    described(
      z.array(z.object({ name: z.string(), version: z.string(), contentHash: z.string() })),
      'The fragments that this version includes.',
    ),
  ),
  compiledMessages: z.optional(
    messageList(
      'The messages with the placeholders in their contents replaced. Placeholders for lists of messages stay as they are.',
    ),
  ),
});

export const promptGetCompiled = endpoint({
  id: 'prompt-get-compiled',
  route: { method: 'POST', path: '/api/prompt/get-compiled' },
  access: { kind: 'api-key', permission: 'prompts' },
  body,
  nullFields: 'absent',
  reply,
  errors: [
    'missing_variables',
    'invalid_variables',
    'prompt_not_found',
    'version_not_found',
    'label_not_found',
    'reply_too_large',
  ],
  memoryMb: 512,
  timeoutSeconds: 10,
  grants: [
    { on: 'table', actions: ['BatchGetItem'], partitions: ['apiKey', 'prompt'] },
    { on: 'table', actions: ['GetItem'], partitions: ['prompt'] },
    { on: 'table', actions: ['PutItem'], partitions: ['access', 'entryShards', 'auditRefusal'] },
  ],
  summary: 'Fetch a prompt, optionally compiled',
  description:
    'Returns one version of a prompt: the given `version`, the one that `label` points to, or the highest by semantic-version precedence. Placeholders are written `{{name}}`; spaces inside the braces are allowed. Everything else in a template is plain text. Substitution is a single pass, and values are inserted as plain data. A placeholder without a value or default is left as written unless `strict` is `true`. A compiled prompt has at most 1 MB of UTF-8 unless the settings of the deployment say otherwise, else the error is `reply_too_large`. A chat has `type`, `messages` and `compiledMessages`: each message is compiled by itself, so that no value can begin, end or change a message. `variables`, `model`, `config`, `output` and `tools` are present if the version has them. Each successful call is recorded in the access history of the prompt, without the values of `variables`.',
  examples: [
    {
      summary: 'The latest version, compiled',
      body: { name: 'greeting', shouldCompile: true, variables: { user: 'Ada' } },
      res: {
        promptId: 'prm_IurY9iBlVTeaGfQkX8ukRN',
        name: 'greeting',
        version: '1.1.0',
        tags: ['sample'],
        metaProperties: { model: 'small' },
        prompt: 'Hello {{user}}!',
        compiledPrompt: 'Hello Ada!',
      },
    },
    {
      summary: 'One exact version, as stored',
      body: { name: 'greeting', version: '1.0.0' },
      res: {
        promptId: 'prm_IurY9iBlVTeaGfQkX8ukRN',
        name: 'greeting',
        version: '1.0.0',
        tags: [],
        metaProperties: {},
        prompt: 'Hi {{user}}',
      },
    },
    {
      summary: 'A chat, compiled',
      body: { name: 'support-chat', shouldCompile: true, variables: { question: 'Where is my order?' } },
      res: {
        promptId: 'prm_IurY9iBlVTeaGfQkX8ukRN',
        name: 'support-chat',
        version: '1.0.0',
        tags: [],
        metaProperties: {},
        prompt: JSON.stringify(MESSAGES),
        type: 'chat',
        variables: {
          tone: { type: 'string', enum: ['friendly', 'formal'], default: 'friendly' },
          question: { type: 'string' },
        },
        model: 'anthropic/claude-sonnet',
        config: { temperature: 0.2 },
        messages: MESSAGES,
        compiledPrompt: JSON.stringify(COMPILED),
        compiledMessages: COMPILED,
      },
    },
  ],
});
