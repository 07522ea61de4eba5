import type * as z from 'zod/mini';
import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { vaultGetSecrets } from '../../../contract/endpoints/secrets/vault-get-secrets.ts';
import { publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { createSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { currentInstance } from '../admin.ts';
import { content, newPrompt } from '../rows/prompts.ts';
import { changeAt } from '../rows/table.ts';
import { uniqueName } from '../unique-name.ts';

// Prompts and secrets as operators find them, with their usage.

/** A prompt with the versions 1.0.0 and 1.1.0 that nobody has fetched. */
export const aPrompt = async (): Promise<{ promptId: string; name: string }> => {
  const { table } = currentInstance();
  const { promptId, name } = await newPrompt(table, { prompt: 'Hello {{user}}' });
  await publishVersion(table, changeAt(), promptId, { ...content('Hi {{user}}'), bump: 'minor' });
  return { promptId, name };
};

type Asked = Pick<
  z.input<typeof promptGetCompiled.body>,
  'version' | 'label' | 'shouldCompile' | 'variables'
>;

/** Fetches a prompt so many times with a key, a new one unless given. */
export const fetchPrompt = async (
  promptId: string,
  { times = 1, name = 'web', ...asked }: { times?: number; name?: string } & Asked = {},
): Promise<{ apiKey: string; keyId: string }> => {
  const instance = currentInstance();
  const key = await instance.newKey({ name });
  for (let i = 0; i < times; i++) {
    const reply = await instance.post(
      promptGetCompiled.route?.path ?? '',
      { promptId, ...asked },
      key.apiKey,
    );
    expect(reply.status).toBe(200);
  }
  await instance.settled();
  return key;
};

/** A secret with one value that nobody has read. */
export const aSecret = async (tags: readonly string[] = []): Promise<{ secretId: string; key: string }> => {
  const key = uniqueName('SECRET');
  const { secretId } = await createSecret(currentInstance().table, changeAt(), {
    key,
    value: 'first value',
    tags,
  });
  return { secretId, key };
};

/** Reads secrets as an application does, with a new key. */
export const readSecrets = async (
  body: object,
  name = 'job',
): Promise<{ keyId: string; secrets: Record<string, string> }> => {
  const instance = currentInstance();
  const { apiKey, keyId } = await instance.newKey({ name });
  const reply = await instance.post(vaultGetSecrets.route?.path ?? '', body, apiKey);
  expect(reply.status).toBe(200);
  await instance.settled();
  return { keyId, secrets: reply.json.res };
};
