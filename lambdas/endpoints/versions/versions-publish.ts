import { versionsPublish } from '../../../contract/endpoints/versions.ts';
import { hashOf, hintFor, storedContent } from '../../core/prompts/contents.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { promptOf } from '../../http/serializers/prompts.ts';
import { withFragments } from '../../store/prompts/fragments.ts';
import { publishVersion } from '../../store/prompts/publishing.ts';

export const handler = changeEndpoint(versionsPublish, async ({ table, params, body, change }) => {
  const { bump, rev, draftRev, label, changeType } = body;
  const content = await withFragments(table, storedContent(body));
  const input = { ...content, version: body.version, bump, rev, draftRev, label, changeType };
  const { head, version } = await publishVersion(table, change, params.promptId, input);
  return { prompt: promptOf(head), version, contentHash: hashOf(input), ...hintFor(body) };
});
