import { promptsGet } from '../../../contract/endpoints/prompts.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { contentOf, promptOf, versionOf, withType } from '../../http/serializers/prompts.ts';
import { promptPage } from '../../store/views/prompt-page.ts';

export const handler = readEndpoint(promptsGet, async ({ table, params: { promptId }, query, at }) => {
  const page = await promptPage(table, promptId, at, query.version);
  const { head, draft, version, versions, examples = null, ...rest } = page;
  return {
    prompt: promptOf(head),
    draft: draft ? contentOf(draft) : null,
    version: version ? versionOf(version) : null,
    versions: versions.map(withType),
    examples,
    ...rest,
  };
});
