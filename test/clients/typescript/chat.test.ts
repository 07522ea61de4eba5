// Chats: messages, variables with declarations, and lists of messages.
import { readFileSync } from 'node:fs';
import type { PromptMessage, VariableDeclaration } from '../../../clients/typescript/src/index.ts';
import { type FakeVersion, fakeCuevault } from '../../../clients/typescript/src/testing.ts';
import type { Message } from '../../../contract/content/content.ts';
import { compileReply } from '../../../lambdas/core/prompts/templates.ts';

interface Vector {
  readonly title: string;
  readonly messages: readonly (PromptMessage & Message)[];
  readonly declarations?: { readonly [name: string]: VariableDeclaration };
  readonly values: Record<string, unknown>;
  readonly placeholders?: Record<string, object[]>;
  readonly compiled: readonly object[];
  readonly inserted?: readonly object[];
  readonly strict?: { readonly code: string; readonly names: readonly string[]; readonly without?: string };
}

const { vectors } = JSON.parse(readFileSync('test/vectors/chat.json', 'utf8')) as { vectors: Vector[] };

const MOST = 1_000_000;
const fakeOf = (version: FakeVersion) =>
  fakeCuevault({ prompts: { chat: { versions: { '1.0.0': version } } } });
const promptOf = (version: FakeVersion) => fakeOf(version).client().prompts.get('chat');

test.each(vectors)('client and service compile the same: $title', async (vector) => {
  const { messages, declarations: variables, values, placeholders, compiled, strict } = vector;
  const prompt = await promptOf({ messages, variables });
  const compilable = { prompt: prompt.prompt, messages, variables };
  const service = (isStrict: boolean) =>
    compileReply(compilable, { shouldCompile: true, variables: values, strict: isStrict }, MOST).reply;
  expect(service(false).compiledMessages).toEqual(compiled);
  expect(prompt.compile(values)).toBe(service(false).compiledPrompt);
  expect(prompt.compileMessages(values, { placeholders })).toEqual(vector.inserted ?? compiled);
  const attempts = [() => service(true), () => prompt.compile(values, { strict: true })];
  for (const attempt of attempts) {
    if (strict === undefined) expect(attempt).not.toThrow();
    else expect(attempt).toThrow(expect.objectContaining({ code: strict.code }));
    for (const text of strict?.names ?? []) expect(attempt).toThrow(text);
    if (strict?.without !== undefined) expect(attempt).not.toThrow(strict.without);
  }
});
