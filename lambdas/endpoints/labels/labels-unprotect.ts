import { labelsUnprotect } from '../../../contract/endpoints/labels/labels-unprotect.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { unprotectLabel } from '../../store/prompts/protection.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Removes the protection of a label. */
export const handler = operatorEndpoint(labelsUnprotect, async ({ params: { label }, change }) => ({
  labels: await unprotectLabel(table, change, label),
}));
