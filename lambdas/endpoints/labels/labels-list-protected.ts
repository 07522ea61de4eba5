import { labelsListProtected } from '../../../contract/endpoints/labels/labels-list-protected.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { readProtection } from '../../store/prompts/protection.ts';
import { connectTable } from '../../store/table.ts';

const table = connectTable();

/** Lists the protected labels. */
export const handler = operatorEndpoint(labelsListProtected, async () => {
  const { labels } = await readProtection(table);
  return { labels };
});
