import type { ApiKey } from '../../../lambdas/core/api-keys/rules.ts';
import type { PromptContent } from '../../../lambdas/core/prompts/prompts.ts';
import type { PromptHead } from '../../../lambdas/store/prompts/head.ts';
import { type CreateInput, createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import {
  createPromptReader,
  type PromptQuery,
  type RetrievedPrompt,
} from '../../../lambdas/store/prompts/reader.ts';
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

/** Parts of a content of so many bytes: a text, tags, metadata. */
export const text = (bytes: number): string => 'x'.repeat(bytes);
export const tags = (count: number, bytes: number): string[] =>
  Array.from({ length: count }, (_, n) => String(n).padStart(bytes, 't'));
// {"m":"…"} takes eight bytes more than the text in it.
export const metadata = (bytes: number) => ({ m: text(bytes - 8) });

/** Creates a prompt with version 1.0.0, under a unique name, now and with no other content, unless the input says otherwise. */
export const newPrompt = (
  table: Table,
  { at, prompt = 'Hello', ...rest }: Partial<CreateInput> & { readonly at?: Date } = {},
): Promise<PromptHead> =>
  createPrompt(table, changeAt(at), { ...content(prompt), name: uniqueName('prompt'), ...rest });

/** A reader of prompts for calls with an API key that may see every one. */
export const promptFinder = (table: Table, bytes?: number) => {
  const read = createPromptReader(table, bytes);
  const key = { prompts: [] as readonly string[] } as ApiKey;
  return async (query: PromptQuery): Promise<RetrievedPrompt> => {
    const [, prompt] = await read(query, async (begun) => [key, await begun]);
    return prompt;
  };
};

/** The expected rejection: an error of the service with the code, and a message that contains the text. */
export const failure = (code: string, text = ''): Item => ({
  name: expect.any(String),
  code,
  message: expect.stringContaining(text),
});
