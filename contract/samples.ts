// Sample prompts and secrets, which the first local start creates and the admin UI offers. Their tag marks them.

/** The tag of everything that is a sample. */
export const SAMPLE_TAG = 'sample';

const SUPPORT_REPLY = `You answer customers of {{company}}.

Rules:
- Answer in at most {{sentences}} sentences.
- If you do not know, say so and name a colleague.

Reply with JSON of this form and nothing else:
{"answer": "...", "confident": true}

The customer wrote:
{{message}}
`;

/** A prompt with its versions, oldest first; the label points to the first one. */
export interface SamplePrompt {
  readonly name: string;
  readonly label?: string;
  readonly tags: readonly string[];
  readonly metaProperties: Readonly<Record<string, unknown>>;
  readonly versions: readonly { readonly prompt: string; readonly note: string }[];
}

export const SAMPLE_PROMPTS: readonly [SamplePrompt, ...SamplePrompt[]] = [
  {
    name: 'greeting',
    label: 'production',
    tags: [SAMPLE_TAG],
    metaProperties: {},
    versions: [
      { prompt: 'Hello {{user}}!', note: 'The first words' },
      { prompt: 'Hello {{user}}, welcome to {{ place }}.', note: 'Say where they have arrived' },
    ],
  },
  {
    name: 'support-reply',
    tags: [SAMPLE_TAG, 'support'],
    metaProperties: { model: 'small', temperature: 0.2 },
    versions: [{ prompt: SUPPORT_REPLY, note: 'Answers as JSON' }],
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
