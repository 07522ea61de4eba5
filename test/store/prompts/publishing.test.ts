import { LIMITS } from '../../../contract/limits.ts';
import type { PromptContent } from '../../../lambdas/core/prompts/prompts.ts';
import { readDraft, saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { createPrompt, getPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { getVersion } from '../../../lambdas/store/prompts/lookups.ts';
import { deleteVersion, publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { listVersions } from '../../../lambdas/store/prompts/version-lists.ts';
import { content, newPrompt, promptFinder } from '../../support/rows/prompts.ts';
import { changeAt, expectRefused, table, withTestTable } from '../../support/rows/table.ts';

withTestTable();

const publish = (promptId: string, version: string) =>
  publishVersion(table, changeAt(), promptId, { ...content(`body of ${version}`), tags: [version], version });

test('deleting the latest falls back to the highest of the others, with its tags, size and excerpt, and deleted ones are not listed', async () => {
  const { promptId, name } = await newPrompt(table, { version: '1.9.0' });
  for (const version of ['1.10.0', '2.0.0', '10.0.0']) await publish(promptId, version);
  const below = await deleteVersion(table, changeAt(), promptId, '2.0.0');
  expect(below).toMatchObject({ latest: '10.0.0', versions: 3, tags: ['10.0.0'] });
  await deleteVersion(table, changeAt(), promptId, '10.0.0');
  const { head } = await getPrompt(table, promptId);
  const { items } = await listVersions(table, head, 9);
  expect(items.map(({ version }) => version)).toEqual(['1.10.0', '1.9.0']);
  expect(head).toMatchObject({
    latest: '1.10.0',
    highest: '10.0.0',
    versions: 2,
    tags: ['1.10.0'],
    excerpt: 'body of 1.10.0',
    templateBytes: 14,
  });
  expect(await promptFinder(table)({ name })).toMatchObject({ version: '1.10.0' });
});

test('a deleted number is never published again, and a bump increments the highest ever published, deleted ones included', async () => {
  const { promptId } = await newPrompt(table);
  await publish(promptId, '2.3.4');
  await deleteVersion(table, changeAt(), promptId, '2.3.4');
  await expectRefused(publish(promptId, '2.3.4'), 'version_taken', '2.3.4');
  for (const [bump, version] of [
    ['patch', '2.3.5'],
    ['minor', '2.4.0'],
    ['major', '3.0.0'],
  ] as const) {
    const published = await publishVersion(table, changeAt(), promptId, { ...content('x'), bump });
    expect(published.version).toBe(version);
    expect(published.head.latest).toBe(version);
  }
});

test('any JSON metadata is returned exactly', async () => {
  const text = `{"__proto__":{"a":1},"n":1e300,"s":"\\u0000é😀","deep":${'['.repeat(60)}${']'.repeat(60)}}`;
  const metaProperties = JSON.parse(text) as Record<string, unknown>;
  const { promptId } = await createPrompt(table, changeAt(), {
    ...content('x'),
    name: 'metadata',
    metaProperties,
  });
  const stored = await getVersion(table, promptId, '1.0.0');
  expect(JSON.stringify(stored.metaProperties)).toBe(JSON.stringify(metaProperties));
  const found = await promptFinder(table)({ promptId });
  expect(JSON.stringify(found.metaProperties)).toBe(JSON.stringify(metaProperties));
});

test('the excerpt is cut between characters, at 160 bytes', async () => {
  const { promptId } = await newPrompt(table, { prompt: `a${'😀'.repeat(500)}` });
  const { head } = await getPrompt(table, promptId);
  expect(head.excerpt).toBe(`a${'😀'.repeat(39)}`);
  expect(head.templateBytes).toBe(2_001);
});

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

test('labels are limited, and moving one does not count as a new one', async () => {
  const { promptId } = await newPrompt(table);
  await publish(promptId, '2.0.0');
  const set = (label: string, version: string) => setLabel(table, changeAt(), promptId, label, version);
  for (let i = 0; i < LIMITS.labels; i++) await set(`label ${i}`, '1.0.0');
  await expectRefused(set('one more', '1.0.0'), 'invalid_request', 'at most 50');
  expect((await set('label 7', '2.0.0')).labels).toHaveLength(LIMITS.labels);
});
