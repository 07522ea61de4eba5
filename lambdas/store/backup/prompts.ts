import type { Position } from '../../../contract/shapes/backup.ts';
import { PARTITIONS, TABLE } from '../../../contract/table.ts';
import { inBatches } from '../../core/batches.ts';
import { CuevaultError } from '../../core/errors.ts';
import { headKey, isAboveReserved, PROMPT_HEAD, type PromptHead, promptPartition } from '../prompts/head.ts';
import { isTombstone, VERSION } from '../prompts/versions.ts';
import { inPartition, keyOfItem, queryItems } from '../queries.ts';
import { getItem, type Item, type Table } from '../table.ts';
import { backupItem, indexRowsAfter, type Step } from './records.ts';
import { recordOf } from './signed-records.ts';

/** Before every sort key. */
const FIRST = '!';
const ATTEMPTS = 5;

const rowsAfter = (table: Table, promptId: string, after: string) =>
  Array.fromAsync(
    queryItems(table, inPartition(promptPartition(promptId), 'sk > :after', { ':after': after })),
  );

/** A row belongs to the prompt unless it is a version of a deleted prompt of the same name. */
const belongs = (head: PromptHead, { sk, version }: Item) =>
  sk !== headKey(head.promptId).sk &&
  (!String(sk).startsWith(VERSION) || isAboveReserved(head, String(version)));

const isVersion = (row: Item) => String(row.sk).startsWith(VERSION) && !isTombstone(row);

/**
 * The records of a prompt in one state of its head, which comes last, each with the sort key of its row; only the head if
 * it does not verify. Undefined if there is no such prompt.
 */
const readPrompt = async (table: Table, promptId: string, resumed: Position['row']) => {
  const key = headKey(promptId);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const item = await getItem(table, key);
    if (item === undefined) return undefined;
    const last = { record: recordOf(table, 'prompt', item), sk: key.sk };
    if (last.record.type === 'refused') return { rev: 0, records: [last] };
    const head = PROMPT_HEAD.fromItem(item);
    const rows = await rowsAfter(table, promptId, resumed?.rev === head.rev ? resumed.sk : FIRST);
    if ((await getItem(table, key))?.rev !== head.rev) continue;
    const records = rows
      .filter((row) => belongs(head, row))
      .map((row): typeof last => ({
        record: isVersion(row)
          ? recordOf(table, 'version', row)
          : { type: 'prompt-row', promptId, item: backupItem(row) },
        sk: String(row.sk),
      }));
    return { rev: head.rev, records: [...records, last] };
  }
  throw new CuevaultError('changed_meanwhile', `The prompt ${promptId} changes too often to be backed up.`);
};

/** Positions before and after a prompt. */
interface PromptPlace {
  readonly promptId: string;
  readonly before: Position;
  readonly behind: Position;
}

const stepsOf = async (
  table: Table,
  { promptId, before, behind }: PromptPlace,
  resumed: Position['row'],
): Promise<Step[]> => {
  const { rev = 0, records = [] } = (await readPrompt(table, promptId, resumed)) ?? {};
  // A prompt without one of its versions would be another prompt, so the entire prompt is left out.
  const refused = records.filter(({ record }) => record.type === 'refused');
  if (refused.length > 0) return refused.map(({ record }) => ({ record, after: behind }));
  return records.map(({ record, sk }, at) => ({
    record,
    after: at === records.length - 1 ? behind : { ...before, row: { promptId, rev, sk } },
  }));
};

async function* placesAfter(
  table: Table,
  partition: 'prompts' | 'deletedPrompts',
  { section, after }: Position,
): AsyncGenerator<PromptPlace> {
  let before: Position = { section, after };
  for await (const row of indexRowsAfter(table, partition, after)) {
    const behind: Position = { section, after: String(row[TABLE.index.sortKey]) };
    yield { promptId: keyOfItem(row).pk.slice(PARTITIONS.prompt.length), before, behind };
    before = behind;
  }
}

/** The rows of prompts, each prompt's head last. A prompt with a row that does not verify is left out. */
export const promptSteps = (partition: 'prompts' | 'deletedPrompts') =>
  async function* (table: Table, position: Position): AsyncGenerator<Step> {
    const { row } = position;
    const places = placesAfter(table, partition, position);
    for await (const steps of inBatches(places, (place) =>
      stepsOf(table, place, row?.promptId === place.promptId ? row : undefined),
    ))
      yield* steps;
  };
