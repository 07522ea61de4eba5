import { keyOfItem, readItems } from '../queries.ts';
import { verifiedRow } from '../signing/rows.ts';
import type { Table } from '../table.ts';
import {
  headKey,
  isAboveReserved,
  isLive,
  PROMPT_HEAD,
  type PromptHead,
  promptNotFound,
  readPromptHead,
} from './head.ts';
import { type PromptVersion, readVersion, versionNotFound } from './versions.ts';

// What changes and the admin API read by id. Applications read through `reader.ts`.

/** The head, if it exists and is not deleted. */
export const requireLive = (head: PromptHead | undefined, promptId: string): PromptHead => {
  if (!isLive(head)) throw promptNotFound(`with the id "${promptId}"`);
  return head;
};

/** Reads the head of a prompt that is not deleted. */
export const readLiveHead = async (table: Table, promptId: string): Promise<PromptHead> =>
  requireLive(await readPromptHead(table, promptId), promptId);

/** The heads of those of these prompts that are not deleted, by id; a change can take a moment to appear. */
export const readLiveHeads = async (table: Table, promptIds: readonly string[]) => {
  const items = await readItems(table, [...new Set(promptIds)].map(headKey));
  const heads = items.map((item) => verifiedRow(table, PROMPT_HEAD, keyOfItem(item), item));
  return new Map(heads.filter(isLive).map((head) => [head.promptId, head]));
};

/** Reads a version of the current prompt. */
export const requireVersion = async (table: Table, head: PromptHead, version: string) => {
  const found = await readVersion(table, head.promptId, version);
  if (found === undefined || !isAboveReserved(head, version)) throw versionNotFound(head.name, version);
  return found;
};

/** Reads one version. */
export const getVersion = async (table: Table, promptId: string, version: string): Promise<PromptVersion> =>
  requireVersion(table, await readLiveHead(table, promptId), version);
