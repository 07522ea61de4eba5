import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { compileReply, sentNames } from '../../core/prompts/templates.ts';
import { keyEndpoint } from '../../http/key-endpoint.ts';
import { createPromptCalls } from '../../http/prompt-calls.ts';
import { connectHotTable } from '../../store/batched-reads.ts';

const table = connectHotTable();
const answer = createPromptCalls(table);

/** Returns one version of a prompt, compiled if requested, and writes an access entry. */
export const handler = keyEndpoint(promptGetCompiled, table, ({ body, ...call }) => {
  const { id, promptId = id, name, version, label, metaProperties } = body;
  return answer({ promptId, name, version, label }, call, (prompt) => {
    const compiled = body.shouldCompile === true;
    return { ...compileReply(prompt, body), compiled, variables: sentNames(body), metaProperties };
  });
});
