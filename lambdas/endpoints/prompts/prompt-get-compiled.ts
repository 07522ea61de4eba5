import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { compileReply, sentNames } from '../../core/prompts/templates.ts';
import { keyEndpoint } from '../../http/key-endpoint.ts';
import { countMetric, describeError } from '../../log.ts';
import { connectHotTable } from '../../store/hot/table.ts';
import { createPromptReader, requireVisible } from '../../store/prompts/reader.ts';
import { recordAccess } from '../../store/usage/accesses.ts';

const table = connectHotTable();
const reader = createPromptReader(table);

/** Returns one version of a prompt, compiled if requested, and writes an access entry. */
export const handler = keyEndpoint(promptGetCompiled, table, async ({ body, admitted, ...request }) => {
  const { id, promptId = id, name, version, label } = body;
  const query = { promptId, name, version, label };
  const [apiKey, head] = await admitted(reader.head(query));
  const prompt = await reader.find(query, requireVisible(apiKey, query, head));
  const reply = compileReply(prompt, body);
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
