import { labelsProtect } from '../../../contract/endpoints/labels.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { protectLabel } from '../../store/prompts/protection.ts';

export const handler = changeEndpoint(labelsProtect, async ({ table, params: { label }, change }) => ({
  labels: await protectLabel(table, change, label),
}));
