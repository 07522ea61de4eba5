import { promptGetLangfuse } from '../../../contract/endpoints/prompts/prompt-get-langfuse.ts';
import { langfusePrompt, versionOfInteger } from '../../core/prompts/langfuse.ts';
import { keyEndpoint } from '../../http/key-endpoint.ts';
import { LANGFUSE } from '../../http/langfuse.ts';
import { createPromptCalls } from '../../http/prompt-calls.ts';
import { connectHotTable } from '../../store/batched-reads.ts';

const table = connectHotTable();
const answer = createPromptCalls(table);

type Query = { readonly version?: string | undefined; readonly label?: string | undefined };

const asked = ({ version, label = 'production' }: Query): Query => {
  if (version !== undefined) return { version: versionOfInteger(Number(version)) };
  return label === 'latest' ? {} : { label };
};

/** Returns one version of a prompt in the form of Langfuse, and writes an access entry. */
export const handler = keyEndpoint(
  promptGetLangfuse,
  table,
  async ({ params, query, ...call }) =>
    answer({ name: params.name, ...asked(query) }, call, (prompt, head) => ({
      reply: langfusePrompt(prompt, head),
    })),
  LANGFUSE,
);
