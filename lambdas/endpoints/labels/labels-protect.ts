import { labelsProtect } from '../../../contract/endpoints/labels/labels-protect.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { protectLabel } from '../../store/prompts/protection.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Protects a label. */
export const handler = operatorEndpoint(labelsProtect, async ({ params: { label }, change }) => ({
  labels: await protectLabel(table, change, label),
}));
