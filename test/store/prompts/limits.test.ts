import { LIMITS } from '../../../contract/limits.ts';
import type { PromptContent } from '../../../lambdas/core/prompts/prompts.ts';
import { readDraft, saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { getVersion } from '../../../lambdas/store/prompts/lookups.ts';
import { publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';

withTestTable();

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
