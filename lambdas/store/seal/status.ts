import type { sealedShape } from '../../../contract/documentation/service.ts';
import type { ReplyOf } from '../../../contract/endpoint.ts';
import { ifGenuine } from '../../core/errors.ts';
import { getRow } from '../signing/rows.ts';
import type { Table } from '../table.ts';
import { LAST_SEAL, SEAL } from './seals.ts';

/** Up to when the audit log is sealed; null if it is not, or the last seal does not verify. */
export const readSealed = async (table: Table): Promise<ReplyOf<typeof sealedShape>> => {
  const seal = await ifGenuine(() => getRow(table, SEAL, LAST_SEAL));
  return seal === undefined ? null : { number: seal.number, at: seal.sealedAt, to: seal.to };
};
