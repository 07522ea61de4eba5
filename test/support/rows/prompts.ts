import type { PromptContent } from '../../../lambdas/core/prompts/prompts.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import type { Item, Table } from '../../../lambdas/store/table.ts';
import { uniqueName } from '../unique-name.ts';
import { changeAt } from './table.ts';

/** The content of a version with this template. */
export const content = (prompt: string): PromptContent => ({
  prompt,
  tags: [],
  metaProperties: {},
  note: '',
});

/** Creates a prompt under a unique name, with version 1.0.0 unless another is given. */
export const newPrompt = async (
  table: Table,
  { version, at, prompt = 'Hello' }: { version?: string; at?: Date; prompt?: string } = {},
): Promise<{ promptId: string; name: string; rev: number }> => {
  const name = uniqueName('prompt');
  const { promptId, rev } = await createPrompt(table, changeAt(at), { ...content(prompt), name, version });
  return { promptId, name, rev };
};

/** A time that many days after another. */
export const daysAfter = (at: Date, days: number): Date => new Date(at.getTime() + days * 86_400_000);

/** The expected rejection: an error of the service with the code, and a message that contains the text. */
export const failure = (code: string, text = ''): Item => ({
  name: expect.any(String),
  code,
  message: expect.stringContaining(text),
});
