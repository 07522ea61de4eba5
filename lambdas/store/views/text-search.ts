import { messagesOf } from '../../core/prompts/prompts.ts';
import type { ListedPrompt } from '../prompts/head.ts';
import { versionKey } from '../prompts/versions.ts';
import { readItems } from '../queries.ts';
import type { Item, Table } from '../table.ts';

/** Units of one call, and those of the largest version: with what a list reads besides, a call stays below 128. */
const MOST_UNITS = 88;
const VERSION_UNITS = 36;
const UNIT_BYTES = 8_192;

const unitsOf = (item: Item): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(item)) / UNIT_BYTES / 0.5) / 2;

/** Characters of a line that are shown, and how many of them before what was sought. */
const SHOWN_CHARACTERS = 200;
const LEADING_CHARACTERS = 60;

const lineWith = (item: Item, sought: string): string | undefined => {
  const { type, prompt } = {
    type: item.type === 'chat' ? ('chat' as const) : undefined,
    prompt: String(item.prompt),
  };
  const texts = messagesOf({ type, prompt })?.map((one) => ('content' in one ? one.content : '')) ?? [prompt];
  const lines = texts.flatMap((text) => text.split(/\r\n?|\n/));
  const line = lines.find((each) => each.toLowerCase().includes(sought));
  const start = Math.max(0, (line?.toLowerCase().indexOf(sought) ?? 0) - LEADING_CHARACTERS);
  return line?.slice(start, start + SHOWN_CHARACTERS);
};

/**
 * Looks for a text in the latest and labelled versions of prompts, as far as one call goes. The rows are not verified:
 * use them only to show where the text is.
 * @param isSought whether to look into a prompt
 * @param skip versions of the first prompt that an earlier call has read
 * @returns what was found by prompt id, how many of the prompts are done, and how many versions of the next one were read
 */
export const searchTexts = async (
  table: Table,
  prompts: readonly ListedPrompt[],
  isSought: (prompt: ListedPrompt) => boolean,
  q: string,
  skip: number,
) => {
  const found = new Map<string, { readonly version: string; readonly line: string }>();
  let left = prompts.flatMap((prompt, index) =>
    [...new Set([prompt.latest, ...prompt.labels.map(({ version }) => version)])]
      .map((version, number) => ({ index, number, promptId: prompt.promptId, version }))
      .filter(({ number }) => isSought(prompt) && (index > 0 || number >= skip)),
  );
  for (let units = MOST_UNITS; left.length > 0 && units >= VERSION_UNITS; ) {
    const batch = left.slice(0, Math.floor(units / VERSION_UNITS));
    const items = await readItems(
      table,
      batch.map(({ promptId, version }) => versionKey(promptId, version)),
    );
    units -= (batch.length - items.length) / 2;
    for (const item of items) {
      units -= unitsOf(item);
      const line = lineWith(item, q.toLowerCase());
      if (line !== undefined) found.set(String(item.promptId), { version: String(item.version), line });
    }
    left = left.slice(batch.length).filter(({ promptId }) => !found.has(promptId));
  }
  const [next] = left;
  return { found, done: next?.index ?? prompts.length, skip: next?.number ?? 0 };
};
