import type { BackupRecord, Position } from '../../../contract/backup.ts';
import { PARTITIONS, TABLE } from '../../../contract/table.ts';
import { inBatches } from '../../core/batches.ts';
import { CuevaultError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import { headKey, isAboveReserved, PROMPT_HEAD, type PromptHead, promptPartition } from '../prompts/head.ts';
import { isTombstone, PROMPT_VERSION, VERSION } from '../prompts/versions.ts';
import { inPartition, keyOfItem, queryItems } from '../queries.ts';
import { verifiedIfFound, verifiedRow } from '../signing/rows.ts';
import { getItem, type Item, type Table } from '../table.ts';
import { backupItem, indexRowsAfter, orUnverified, type Step } from './records.ts';

/** Before every sort key. */
const FIRST = '!';
const ATTEMPTS = 5;

const rowsAfter = (table: Table, promptId: string, after: string): Promise<Item[]> =>
  Array.fromAsync(
    queryItems(table, inPartition(promptPartition(promptId), 'sk > :after', { ':after': after })),
  );

/** A row belongs to the prompt unless it is a version of a deleted prompt of the same name. */
const belongs = (head: PromptHead, { sk, version }: Item): boolean =>
  sk !== headKey(head.promptId).sk &&
  (!String(sk).startsWith(VERSION) || isAboveReserved(head, String(version)));

const isVersion = (row: Item): boolean => String(row.sk).startsWith(VERSION) && !isTombstone(row);

/** The rows of a prompt that belong to one state of its head. */
const readRows = async (table: Table, promptId: string, resumed: Position['row']) => {
  const key = headKey(promptId);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const headItem = await getItem(table, key);
    const head = verifiedIfFound(table, PROMPT_HEAD, key, headItem);
    if (head === undefined || headItem === undefined) return undefined;
    const rows = await rowsAfter(table, promptId, resumed?.rev === head.rev ? resumed.sk : FIRST);
    if ((await getItem(table, key))?.rev === head.rev)
      return { head, headItem, rows: rows.filter((row) => belongs(head, row)) };
  }
  throw new CuevaultError('changed_meanwhile', `The prompt ${promptId} changes too often to be backed up.`);
};

/** Positions before and after a prompt. */
interface Place {
  readonly promptId: string;
  readonly before: Position;
  readonly behind: Position;
}

/** A prompt without one of its versions would be another prompt, so the entire prompt is left out. */
const unverifiedVersions = async (table: Table, rows: readonly Item[]): Promise<BackupRecord[]> => {
  const read = await inParallel(rows.filter(isVersion), (row) =>
    orUnverified(keyOfItem(row), () => verifiedRow(table, PROMPT_VERSION, keyOfItem(row), row)),
  );
  return read.flatMap((each) => ('refused' in each ? [each.refused] : []));
};

const stepsOf = async (
  table: Table,
  { promptId, before, behind }: Place,
  resumed: Position['row'],
): Promise<Step[]> => {
  const read = await orUnverified(headKey(promptId), () => readRows(table, promptId, resumed));
  if ('refused' in read) return [{ record: read.refused, after: behind }];
  if (read.found === undefined) return [];
  const { head, headItem, rows } = read.found;
  const refused = await unverifiedVersions(table, rows);
  if (refused.length > 0) return refused.map((record) => ({ record, after: behind }));
  return [
    ...rows.map((row) => ({
      record: { type: 'prompt-row' as const, promptId, item: backupItem(row) },
      after: { ...before, row: { promptId, rev: head.rev, sk: String(row.sk) } },
    })),
    { record: { type: 'prompt', promptId, name: head.name, item: backupItem(headItem) }, after: behind },
  ];
};

async function* placesAfter(
  table: Table,
  partition: 'prompts' | 'deletedPrompts',
  { section, after }: Position,
): AsyncGenerator<Place> {
  let before: Position = { section, ...(after === undefined ? {} : { after }) };
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
