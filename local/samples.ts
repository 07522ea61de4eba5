import { isCuevaultError } from '../lambdas/core/errors.ts';
import { promptIdOf } from '../lambdas/core/identifiers.ts';
import type { Change } from '../lambdas/store/audit.ts';
import { isLive, readHead } from '../lambdas/store/prompts/head.ts';
import { setLabel } from '../lambdas/store/prompts/labels.ts';
import { createPrompt } from '../lambdas/store/prompts/lifecycle.ts';
import { publishVersion } from '../lambdas/store/prompts/publishing.ts';
import { createSecret, type NewSecret } from '../lambdas/store/secrets/secrets.ts';
import type { Table } from '../lambdas/store/table.ts';

const GREETING = { name: 'greeting', prompt: 'Hello {{user}}, welcome to {{ place }}.' };
const SUPPORT_REPLY = `You answer customers of {{company}}.

Rules:
- Answer in at most {{sentences}} sentences.
- If you do not know, say so and name a colleague.

Reply with JSON of this form and nothing else:
{"answer": "...", "confident": true}

The customer wrote:
{{message}}
`;

const makeGreeting = async (table: Table, change: Change): Promise<void> => {
  const greeting = { tags: ['sample'], metaProperties: {}, note: 'The first words' };
  const created = await createPrompt(table, change, {
    ...greeting,
    name: GREETING.name,
    prompt: 'Hello {{user}}!',
  });
  await publishVersion(table, change, created.promptId, {
    ...greeting,
    prompt: GREETING.prompt,
    bump: 'minor',
    note: 'Say where they have arrived',
  });
  await setLabel(table, change, created.promptId, 'production', created.latest);
};

const makeSupportReply = (table: Table, change: Change): Promise<unknown> =>
  createPrompt(table, change, {
    name: 'support-reply',
    prompt: SUPPORT_REPLY,
    tags: ['sample', 'support'],
    metaProperties: { model: 'small', temperature: 0.2 },
    note: 'Answers as JSON',
  });

const SECRETS: readonly NewSecret[] = [
  { key: 'OPENAI_API_KEY', value: 'sk-sample-not-a-real-key', tags: ['sample', 'llm'] },
  {
    key: 'DATABASE_URL',
    value: 'postgres://app:sample@localhost:5432/app',
    tags: ['sample', 'database'],
  },
];

const unlessTaken = (error: unknown): void => {
  if (!isCuevaultError(error, 'name_taken', 'secret_key_taken')) throw error;
};

/** Sample prompts and secrets. Existing ones with the same names are not changed. */
export const makeSamples = async (table: Table, change: Change): Promise<void> => {
  await makeGreeting(table, change).catch(unlessTaken);
  await makeSupportReply(table, change).catch(unlessTaken);
  for (const secret of SECRETS) await createSecret(table, change, secret).catch(unlessTaken);
};

/** Whether a prompt with the name of the first sample exists. */
export const hasGreeting = async (table: Table): Promise<boolean> =>
  isLive(await readHead(table, promptIdOf(GREETING.name)));
