import { sessionGet } from '../../../contract/endpoints/operators/session-get.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { readProtection } from '../../store/prompts/protection.ts';

export const handler = readEndpoint(sessionGet, async ({ table, operator: { operatorId, email, group } }) => {
  const { labels: protectedLabels } = await readProtection(table);
  return { operatorId, email, group, protectedLabels };
});
