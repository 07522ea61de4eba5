import { labelsUnprotect } from '../../../contract/endpoints/labels.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { unprotectLabel } from '../../store/prompts/protection.ts';

export const handler = changeEndpoint(labelsUnprotect, async ({ table, params: { label }, change }) => ({
  labels: await unprotectLabel(table, change, label),
}));
