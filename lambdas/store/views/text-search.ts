import { templatesOf } from '../../../contract/content/templates.ts';
import { ifGenuine } from '../../core/errors.ts';
import { hashOf } from '../../core/prompts/contents.ts';
import { messagesOf } from '../../core/prompts/prompts.ts';
import { createReader, type Reading } from '../../core/prompts/readings.ts';
import type { ListedPrompt } from '../prompts/head.ts';
import { PROMPT_VERSION, versionKey } from '../prompts/versions.ts';
import { keyOfItem, readItems } from '../queries.ts';
import { verifiedRow } from '../signing/rows.ts';
import type { Item, Table } from '../table.ts';

/** Units of one call, and those of the largest version: with what a list reads besides, a call stays below 128. */
const MOST_UNITS = 88;
const VERSION_UNITS = 36;
const UNIT_BYTES = 8_192;

/** Milliseconds after which a call reads no further: hundreds of messages, each compared with a long text, take seconds. */
const MOST_MS = 5_000;

const unitsOf = (item: Item) => Math.ceil(Buffer.byteLength(JSON.stringify(item)) / UNIT_BYTES / 0.5) / 2;

/** Characters of a line that are shown, and how many of them before what was sought. */
const SHOWN_CHARACTERS = 200;
const LEADING_CHARACTERS = 60;

const templatesIn = (item: Item) => {
  const prompt = String(item.prompt);
  const messages = item.type === 'chat' ? messagesOf({ type: 'chat', prompt }) : undefined;
  return templatesOf(messages === undefined ? { prompt } : { type: 'chat', messages });
};

const lineWith = (item: Item, sought: string) => {
  const lines = templatesIn(item).flatMap((text) => text.split(/\r\n?|\n/));
  const line = lines.find((each) => each.toLowerCase().includes(sought));
  const start = Math.max(0, (line?.toLowerCase().indexOf(sought) ?? 0) - LEADING_CHARACTERS);
  return line?.slice(start, start + SHOWN_CHARACTERS);
};

/** What a search looks for in a version; undefined if it is not there. */
export type LookIn<Found> = (item: Item) => Found | undefined | Promise<Found | undefined>;

/** Looks for the line with a text. */
export const lookForLine =
  (q: string): LookIn<string> =>
  (item) =>
    lineWith(item, q.toLowerCase());

const HASH = /^(?:sha256:)?([0-9a-f]{64})$/;

/** Looks for the version that a compiled text comes from, or the one with this content hash. */
export const lookForSource = (table: Table, text: string): LookIn<Partial<Reading>> => {
  const [, hash] = HASH.exec(text.trim()) ?? [];
  if (hash !== undefined)
    return async (item) => {
      // A row that does not verify must not stop the search.
      const version = await ifGenuine(async () => verifiedRow(table, PROMPT_VERSION, keyOfItem(item), item));
      return version && hashOf(version) === `sha256:${hash}` ? {} : undefined;
    };
  const read = createReader(text);
  return (item) => {
    const readings = templatesIn(item).flatMap((template) => read(template) ?? []);
    return readings.sort((a, b) => b.literal - a.literal)[0];
  };
};

/**
 * Looks into the latest and labelled versions of prompts, as far as one call goes. The rows are not verified: use them only
 * to show where something is.
 * @param isSought whether to look into a prompt
 * @param skip versions of the first prompt that an earlier call has read
 * @param isOne whether one version of a prompt is enough
 * @returns what was found by prompt id, how many of the prompts are done, and how many versions of the next one were read
 */
export const searchTexts = async <Found>(
  table: Table,
  prompts: readonly ListedPrompt[],
  isSought: (prompt: ListedPrompt) => boolean,
  lookIn: LookIn<Found>,
  skip: number,
  isOne = true,
) => {
  const found = new Map<string, { readonly version: string; readonly found: Found }[]>();
  let left = prompts.flatMap((prompt, index) =>
    [...new Set([prompt.latest, ...prompt.labels.map(({ version }) => version)])]
      .map((version, number) => ({ index, number, promptId: prompt.promptId, version }))
      .filter(({ number }) => isSought(prompt) && (index > 0 || number >= skip)),
  );
  const end = performance.now() + MOST_MS;
  for (let units = MOST_UNITS; left.length > 0 && units >= VERSION_UNITS && performance.now() < end; ) {
    const batch = left.slice(0, Math.floor(units / VERSION_UNITS));
    const items = await readItems(
      table,
      batch.map(({ promptId, version }) => versionKey(promptId, version)),
    );
    units -= (batch.length - items.length) / 2;
    for (const item of items) {
      units -= unitsOf(item);
      const seen = await lookIn(item);
      const promptId = String(item.promptId);
      if (seen !== undefined)
        found.set(promptId, [...(found.get(promptId) ?? []), { version: String(item.version), found: seen }]);
    }
    left = left.slice(batch.length).filter(({ promptId }) => !isOne || !found.has(promptId));
  }
  const [next] = left;
  return { found, done: next?.index ?? prompts.length, skip: next?.number ?? 0 };
};
