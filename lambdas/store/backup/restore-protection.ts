import type { BackupRecord } from '../../../contract/backup.ts';
import { auditChange, type Change } from '../audit.ts';
import { addProtection, LABEL_PROTECTION, PROTECTION_KEY, readProtection } from '../prompts/protection.ts';
import { signedItem } from '../signing/writes.ts';
import type { Table } from '../table.ts';
import { ConflictError, transact } from '../transactions.ts';
import { type Outcome, placeOf } from './restored.ts';

type LabelsRecord = Extract<BackupRecord, { type: 'protected-labels' }>;

/** Protects the labels of a backup, too. */
export const restoreProtection = async (
  table: Table,
  change: Change,
  { labels }: LabelsRecord,
): Promise<Outcome> => {
  const { found, condition } = await placeOf(table, LABEL_PROTECTION, PROTECTION_KEY);
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
