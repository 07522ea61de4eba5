import type * as z from 'zod/mini';
import type { contentFields } from './content/fields.ts';

// Sample prompts and secrets, which the first local start creates and the admin UI offers. Their tag marks them.

/** The tag of everything that is a sample. */
export const SAMPLE_TAG = 'sample';

const SUPPORT_RULES = `You answer customers of {{company}} in a {{tone}} tone.

Rules:
- Answer in at most {{sentences}} sentences.
- If you do not know, say so and name a colleague.`;

const ANSWER = {
  type: 'object',
  properties: { answer: { type: 'string' }, confident: { type: 'boolean' } },
  required: ['answer', 'confident'],
};

/** A prompt with its versions, oldest first; the label points to the first one. */
export interface SamplePrompt {
  readonly name: string;
  readonly label?: string;
  readonly versions: readonly (z.input<z.ZodMiniObject<typeof contentFields>> & { readonly note: string })[];
}

export const SAMPLE_PROMPTS: readonly [SamplePrompt, ...SamplePrompt[]] = [
  {
    name: 'greeting',
    label: 'production',
    versions: [
      { prompt: 'Hello {{user}}!', tags: [SAMPLE_TAG], note: 'The first words' },
      {
        prompt: 'Hello {{user}}, welcome to {{ place }}.',
        tags: [SAMPLE_TAG],
        note: 'Say where they have arrived',
      },
    ],
  },
  {
    name: 'support-reply',
    versions: [
      {
        type: 'chat',
        messages: [
          { role: 'system', content: SUPPORT_RULES },
          { type: 'placeholder', name: 'history', optional: true },
          { role: 'user', content: '{{message}}' },
        ],
        variables: {
          company: { type: 'string', description: 'Whose customers write' },
          tone: { type: 'string', enum: ['friendly', 'formal'], default: 'friendly' },
          sentences: { type: 'integer', description: 'How long an answer may be', default: 3 },
        },
        config: { temperature: 0.2 },
        output: { schema: ANSWER },
        tags: [SAMPLE_TAG, 'support'],
        note: 'Answers as JSON',
      },
    ],
  },
];

export const SAMPLE_SECRETS = [
  { key: 'OPENAI_API_KEY', value: 'sk-sample-not-a-real-key', tags: [SAMPLE_TAG, 'llm'] },
  {
    key: 'DATABASE_URL',
    value: 'postgres://app:sample@localhost:5432/app',
    tags: [SAMPLE_TAG, 'database'],
  },
] as const;
