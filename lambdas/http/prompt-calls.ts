import type { Admitted, ApiKey } from '../core/api-keys/rules.ts';
import { isCuevaultError } from '../core/errors.ts';
import { describeError, log } from '../log.ts';
import type { PromptHead } from '../store/prompts/head.ts';
import { createPromptReader, type PromptQuery, type RetrievedPrompt } from '../store/prompts/reader.ts';
import type { Table } from '../store/table.ts';
import { askedFor, type Fetch, noteAccess } from '../store/usage/accesses.ts';
import type { createFailures } from '../store/usage/failed-calls.ts';
import type { Facts } from './call.ts';

/** What a call gets, and what its access entry says. */
type Served<Reply> = Omit<Fetch, 'prompt' | 'version' | 'label'> & { readonly reply: Reply };

/**
 * Serves prompts to API keys for the lifetime of a container: finds the version, makes the reply, and writes the access
 * entry. A call that fails although the prompt exists for its key is recorded instead; one that names another prompt, or
 * none, leaves nothing.
 */
export const createPromptCalls = (table: Table) => {
  const readPrompt = createPromptReader(table);
  let recordFailure: ReturnType<typeof createFailures> | undefined;
  return async <Reply>(
    query: PromptQuery,
    { admitted, ...facts }: Facts & { readonly admitted: Admitted },
    serve: (prompt: RetrievedPrompt, head: PromptHead) => Served<Reply>,
  ): Promise<Reply> => {
    const { label } = query;
    const seen: { apiKey?: ApiKey; promptId?: string; version?: string } = {};
    try {
      const [apiKey, prompt, head] = await readPrompt(query, admitted, (key, { promptId }) =>
        Object.assign(seen, { apiKey: key, promptId }),
      );
      seen.version = prompt.version;
      const { reply, ...served } = serve(prompt, head);
      await noteAccess(table, facts, apiKey, { prompt, version: query.version, label, ...served });
      return reply;
    } catch (error) {
      const { apiKey, promptId, version } = seen;
      if (apiKey && promptId && isCuevaultError(error) && error.status < 500) {
        const [reason = ''] = error.message.split(/\. |\.$/, 1);
        const caller = { apiKeyId: apiKey.keyId, apiKeyName: apiKey.name, sourceIp: facts.sourceIp };
        const call = { code: error.code, reason, ...caller, asked: askedFor(query), label, version };
        recordFailure ??= (await import('../store/usage/failed-calls.ts')).createFailures(table);
        await recordFailure(call, { ...facts, promptId }).catch((cause: unknown) =>
          log('warn', 'failed call not recorded', {
            requestId: facts.requestId,
            cause: describeError(cause),
          }),
        );
      }
      throw error;
    }
  };
};
