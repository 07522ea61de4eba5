import { labelsListProtected } from '../../../contract/endpoints/labels/labels-list-protected.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { readProtection } from '../../store/prompts/protection.ts';

export const handler = readEndpoint(labelsListProtected, async ({ table }) => {
  const { labels } = await readProtection(table);
  return { labels };
});
