import { promptGetLangfuse } from '../../../contract/endpoints/prompts/prompt-get-langfuse.ts';
import { langfusePrompt, versionOfInteger } from '../../core/prompts/langfuse.ts';
import { keyEndpoint } from '../../http/key-endpoint.ts';
import { LANGFUSE } from '../../http/langfuse.ts';
import { connectHotTable } from '../../store/hot-table.ts';
import { createPromptReader } from '../../store/prompts/reader.ts';
import { noteAccess } from '../../store/usage/accesses.ts';

const table = connectHotTable();
const readPrompt = createPromptReader(table);

type Query = { readonly version?: string | undefined; readonly label?: string | undefined };

const asked = ({ version, label = 'production' }: Query): Query => {
  if (version !== undefined) return { version: versionOfInteger(Number(version)) };
  return label === 'latest' ? {} : { label };
};

/** Returns one version of a prompt in the form of Langfuse, and writes an access entry. */
export const handler = keyEndpoint(
  promptGetLangfuse,
  table,
  async ({ params, query, admitted, ...call }) => {
    const wanted = asked(query);
    const [apiKey, prompt, head] = await readPrompt({ name: params.name, ...wanted }, admitted);
    await noteAccess(table, call, apiKey, { prompt, ...wanted });
    return langfusePrompt(prompt, head);
  },
  LANGFUSE,
);
