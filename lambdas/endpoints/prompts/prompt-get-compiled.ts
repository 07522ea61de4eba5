import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { utf8Bytes } from '../../../contract/limits.ts';
import { assertValid } from '../../core/errors.ts';
import { compileReply, sentNames } from '../../core/prompts/templates.ts';
import { keyEndpoint } from '../../http/key-endpoint.ts';
import { createPromptCalls } from '../../http/prompt-calls.ts';
import { connectHotTable } from '../../store/batched-reads.ts';

const table = connectHotTable();
const answer = createPromptCalls(table);

/** Returns one version of a prompt, compiled if requested, and writes an access entry. */
export const handler = keyEndpoint(promptGetCompiled, table, ({ body, ...call }) => {
  const { id, promptId = id, name, version, label, metaProperties } = body;
  const { requestMetadataBytes: most, compiledBytes } = table.settings;
  return answer({ promptId, name, version, label }, call, (prompt) => {
    const fits = metaProperties === undefined || utf8Bytes(JSON.stringify(metaProperties)) <= most;
    assertValid(fits, `"metaProperties" must be at most ${most} bytes as JSON.`);
    const compiled = body.shouldCompile === true;
    const made = compileReply(prompt, body, compiledBytes);
    return { ...made, compiled, variables: sentNames(body), metaProperties };
  });
});
