import type { ReplyOf } from '../../../contract/endpoint.ts';
import type { JsonObject } from '../../../contract/fields/fields.ts';
import type { examplesShape } from '../../../contract/shapes/prompts.ts';
import { type Change, commitChange, stamp } from '../audit.ts';
import { unsignedKind } from '../queries.ts';
import type { Key, Table } from '../table.ts';
import type { Write } from '../transactions.ts';
import { promptPartition } from './head.ts';
import { readLiveHead } from './lookups.ts';
import { checkLive } from './row-writes.ts';

/** Values that operators try a prompt with. Applications do not receive them. */
export type PromptExamples = ReplyOf<typeof examplesShape>;

export const examplesKey = (promptId: string): Key => ({ pk: promptPartition(promptId), sk: 'EXAMPLES' });

/** How example values are stored. */
export const EXAMPLES = unsignedKind<PromptExamples>('values');

/** Removes the example values in the transaction of another change. */
export const discardExamples = (promptId: string): Write => ({ remove: { Key: examplesKey(promptId) } });

/** Replaces the example values of a prompt; without values, they are removed. */
export const saveExamples = async (table: Table, change: Change, promptId: string, values: JsonObject) => {
  const { name } = await readLiveHead(table, promptId);
  const names = Object.keys(values);
  const saved = stamp(change, 'saved');
  const Item = { ...examplesKey(promptId), ...EXAMPLES.toItem({ values, ...saved }) };
  const details = { variables: names.length };
  await commitChange(table, change, { action: 'examples.save', subject: promptId, name, details }, [
    checkLive(promptId),
    names.length === 0 ? discardExamples(promptId) : { put: { Item } },
  ]);
  return names.length === 0 ? undefined : { values, ...saved };
};
