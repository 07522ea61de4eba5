import { effectsGet } from '../../../contract/endpoints/usage.ts';
import { storedContent } from '../../core/prompts/contents.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { effectsOf } from '../../store/views/effects.ts';

export const handler = readEndpoint(effectsGet, async ({ table, body: { content, ...asked }, at }) =>
  effectsOf(table, { ...asked, content: content && storedContent(content) }, at),
);
