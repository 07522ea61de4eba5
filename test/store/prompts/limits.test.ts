import { LIMITS } from '../../../contract/limits.ts';
import type { PromptContent } from '../../../lambdas/core/prompts/prompts.ts';
import { readDraft, saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { createPrompt, getPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { getVersion } from '../../../lambdas/store/prompts/versions.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { content, failure, newPrompt } from '../../support/rows/prompts.ts';
import { changeAt, openTestTable } from '../../support/rows/table.ts';

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ table, stop } = await openTestTable());
});
afterAll(() => stop());

const invalid = failure('invalid_request');
const text = (bytes: number): string => 'x'.repeat(bytes);
const tags = (count: number, bytes: number): string[] =>
  Array.from({ length: count }, (_, n) => String(n).padStart(bytes, 't'));
// {"m":"…"} takes eight bytes more than the text in it.
const metadata = (bytes: number) => ({ m: text(bytes - 8) });

const LARGEST: PromptContent = {
  prompt: text(LIMITS.templateBytes),
  tags: tags(LIMITS.tags, LIMITS.tagBytes),
  metaProperties: metadata(LIMITS.metadataBytes),
  note: text(LIMITS.noteBytes),
};

test('the largest content is stored, as a draft and as a version', async () => {
  const { promptId } = await newPrompt(table);
  await saveDraft(table, changeAt(), promptId, LARGEST);
  expect(await readDraft(table, promptId)).toMatchObject(LARGEST);
  await publishVersion(table, changeAt(), promptId, { ...LARGEST, version: '2.0.0' });
  expect(await getVersion(table, promptId, '2.0.0')).toMatchObject(LARGEST);
});

const BEYOND: [string, Partial<PromptContent>][] = [
  ['a template beyond 256 KB', { prompt: text(LIMITS.templateBytes + 1) }],
  ['a template with half of a surrogate pair', { prompt: '\ud800' }],
  ['one tag too many', { tags: tags(LIMITS.tags + 1, 8) }],
  ['a tag beyond 128 bytes', { tags: tags(1, LIMITS.tagBytes + 1) }],
  ['an empty tag', { tags: [''] }],
  ['metadata beyond 16 KB', { metaProperties: metadata(LIMITS.metadataBytes + 1) }],
  ['a note beyond 4 KB', { note: text(LIMITS.noteBytes + 1) }],
];

test.each(BEYOND)('%s is rejected in a new prompt, a version and a draft', async (title, part) => {
  const wrong = { ...content('Hello'), ...part };
  const { promptId } = await newPrompt(table);
  await expect(createPrompt(table, changeAt(), { ...wrong, name: title })).rejects.toMatchObject(invalid);
  const version = { ...wrong, version: '2.0.0' };
  await expect(publishVersion(table, changeAt(), promptId, version)).rejects.toMatchObject(invalid);
  await expect(saveDraft(table, changeAt(), promptId, wrong)).rejects.toMatchObject(invalid);
  const { head, draft } = await getPrompt(table, promptId);
  expect({ versions: head.versions, draft }).toEqual({ versions: 1, draft: undefined });
});

test('an empty template is valid in a draft, not in a version', async () => {
  const { promptId } = await newPrompt(table);
  await saveDraft(table, changeAt(), promptId, content(''));
  const empty = { ...content(''), version: '2.0.0' };
  await expect(publishVersion(table, changeAt(), promptId, empty)).rejects.toMatchObject(invalid);
});

test.each([
  ['empty', ''],
  ['beyond its limit', text(401)],
  ['not well-formed', '\udfff'],
])('a name and a label that are %s are rejected', async (_, name) => {
  const { promptId } = await newPrompt(table);
  await expect(createPrompt(table, changeAt(), { ...content('x'), name })).rejects.toMatchObject(invalid);
  await expect(setLabel(table, changeAt(), promptId, name, '1.0.0')).rejects.toMatchObject(invalid);
});
