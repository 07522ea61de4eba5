import type { sealedShape } from '../../../contract/documentation/service.ts';
import type { ReplyOf } from '../../../contract/endpoint.ts';
import { IntegrityError } from '../../core/errors.ts';
import { verifiedIfFound } from '../signing/rows.ts';
import { getItem, type Table } from '../table.ts';
import { LAST_SEAL, SEAL } from './seals.ts';

/** Up to when the audit log is sealed; null if it is not, or the last seal does not verify. */
export const readSealed = async (table: Table): Promise<ReplyOf<typeof sealedShape>> => {
  const item = await getItem(table, LAST_SEAL);
  try {
    const seal = verifiedIfFound(table, SEAL, LAST_SEAL, item);
    return seal === undefined ? null : { number: seal.number, at: seal.sealedAt, to: seal.to };
  } catch (error) {
    if (error instanceof IntegrityError) return null;
    throw error;
  }
};
