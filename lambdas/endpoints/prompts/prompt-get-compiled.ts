import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import type { JsonObject } from '../../../contract/fields/fields.ts';
import { utf8Bytes } from '../../../contract/limits.ts';
import { compileReply, sentNames } from '../../core/prompts/templates.ts';
import { keyEndpoint } from '../../http/key-endpoint.ts';
import { invalidRequest } from '../../http/parsing.ts';
import { countMetric, describeError } from '../../log.ts';
import { connectHotTable } from '../../store/hot-table.ts';
import { createPromptReader } from '../../store/prompts/reader.ts';
import { recordAccess } from '../../store/usage/accesses.ts';

const table = connectHotTable();
const reader = createPromptReader(table);

const checkMetadata = (metaProperties: JsonObject | undefined, most: number): void => {
  if (metaProperties === undefined || utf8Bytes(JSON.stringify(metaProperties)) <= most) return;
  throw invalidRequest(`"metaProperties" must be at most ${most} bytes as JSON.`);
};

/** Returns one version of a prompt, compiled if requested, and writes an access entry. */
export const handler = keyEndpoint(promptGetCompiled, table, async ({ body, admitted, ...request }) => {
  const { id, promptId = id, name, version, label } = body;
  const query = { promptId, name, version, label };
  const [apiKey, prompt] = await reader.findAdmitted(query, admitted);
  checkMetadata(body.metaProperties, table.settings.requestMetadataBytes);
  const reply = compileReply(prompt, body, table.settings.compiledBytes);
  const lost = await recordAccess(table, {
    ...request,
    promptId: prompt.promptId,
    version: prompt.version,
    asked: version !== undefined ? 'version' : label !== undefined ? 'label' : 'latest',
    label,
    apiKeyId: apiKey.keyId,
    apiKeyName: apiKey.name,
    compiled: body.shouldCompile === true,
    variables: sentNames(body),
    metaProperties: body.metaProperties ?? {},
  });
  if (lost !== undefined) {
    countMetric({ name: 'AccessEntriesLost', level: 'error' }, 'access entry not written', {
      requestId: request.requestId,
      record: lost.record,
      cause: describeError(lost.cause),
    });
  }
  return reply;
});
