import { auditChange, type Change } from '../audit.ts';
import { addProtection, LABEL_PROTECTION, readProtection } from '../prompts/protection.ts';
import type { RowOf } from '../signing/rows.ts';
import { signedItem } from '../signing/writes.ts';
import type { Table } from '../table.ts';
import { ConflictError, transact } from '../transactions.ts';
import type { Outcome } from './restored.ts';
import { placeOfRow } from './signed-records.ts';

/** Protects the labels of a backup, too. */
export const restoreProtection = async (
  table: Table,
  change: Change,
  row: RowOf<typeof LABEL_PROTECTION>,
): Promise<Outcome> => {
  const { labels } = row;
  const { found, condition } = await placeOfRow(table, 'protected-labels', row);
  if (found === undefined) {
    // Above every revision that the lost row had.
    const Item = await signedItem(table, LABEL_PROTECTION, { rev: change.at.getTime(), labels });
    await transact(table, [
      { put: { Item, ...condition }, onConditionFailed: () => new ConflictError('list of protected labels') },
      ...labels.map(({ label }) =>
        auditChange(table, change, { action: 'label.protect', subject: label, name: label }),
      ),
    ]);
    return 'written';
  }
  const missing = labels.filter(({ label }) => !found.labels.some((each) => each.label === label));
  for (const label of missing) await addProtection(table, change, await readProtection(table), label);
  return missing.length === 0 ? 'unchanged' : 'written';
};
