import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import type { JsonObject } from '../../../contract/fields/fields.ts';
import { utf8Bytes } from '../../../contract/limits.ts';
import { invalidRequest } from '../../core/errors.ts';
import { compileReply, sentNames } from '../../core/prompts/templates.ts';
import { keyEndpoint } from '../../http/key-endpoint.ts';
import { connectHotTable } from '../../store/hot-table.ts';
import { createPromptReader } from '../../store/prompts/reader.ts';
import { noteAccess } from '../../store/usage/accesses.ts';

const table = connectHotTable();
const readPrompt = createPromptReader(table);

const checkMetadata = (metaProperties: JsonObject | undefined, most: number): void => {
  if (metaProperties === undefined || utf8Bytes(JSON.stringify(metaProperties)) <= most) return;
  throw invalidRequest(`"metaProperties" must be at most ${most} bytes as JSON.`);
};

/** Returns one version of a prompt, compiled if requested, and writes an access entry. */
export const handler = keyEndpoint(promptGetCompiled, table, async ({ body, admitted, ...call }) => {
  const { id, promptId = id, name, version, label, metaProperties } = body;
  const query = { promptId, name, version, label };
  const [apiKey, prompt] = await readPrompt(query, admitted);
  checkMetadata(metaProperties, table.settings.requestMetadataBytes);
  const reply = compileReply(prompt, body, table.settings.compiledBytes);
  const compiled = body.shouldCompile === true;
  const fetched = { prompt, version, label, compiled, variables: sentNames(body), metaProperties };
  await noteAccess(table, call, apiKey, fetched);
  return reply;
});
