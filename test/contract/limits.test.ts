import * as z from 'zod/mini';
import { labelsSet } from '../../contract/endpoints/labels.ts';
import { promptsCreate } from '../../contract/endpoints/prompts.ts';
import { secretsCreate } from '../../contract/endpoints/secrets.ts';
import { draftsSave, versionsPublish } from '../../contract/endpoints/versions.ts';
import { LIMITS } from '../../contract/limits.ts';
import { metadata, tags, text } from '../support/rows/prompts.ts';

const CONTENT = { prompt: 'Hello', tags: [], metaProperties: {}, note: '' };
const SECRET = { key: 'KEY', value: 'v', tags: [] };
const WRITES: [string, z.ZodMiniType, object][] = [
  ['a new prompt', promptsCreate.body, { ...CONTENT, name: 'greeting' }],
  ['a version', versionsPublish.body, { ...CONTENT, version: '2.0.0' }],
  ['a draft', draftsSave.body, CONTENT],
];
const accepts = (schema: z.ZodMiniType, value: unknown): boolean => z.safeParse(schema, value).success;

describe.each(WRITES)('%s', (_, body, valid) => {
  test.each([
    [
      'a template of 256 KB',
      { prompt: text(LIMITS.templateBytes) },
      { prompt: text(LIMITS.templateBytes + 1) },
    ],
    ['fifty tags', { tags: tags(LIMITS.tags, 8) }, { tags: tags(LIMITS.tags + 1, 8) }],
    ['a tag of 128 bytes', { tags: tags(1, LIMITS.tagBytes) }, { tags: tags(1, LIMITS.tagBytes + 1) }],
    ['a tag of one byte', { tags: ['t'] }, { tags: [''] }],
    [
      'metadata of 16 KB',
      { metaProperties: metadata(LIMITS.metadataBytes) },
      { metaProperties: metadata(LIMITS.metadataBytes + 1) },
    ],
    ['a note of 4 KB', { note: text(LIMITS.noteBytes) }, { note: text(LIMITS.noteBytes + 1) }],
  ])('may have %s, and not more or less', (_title, within, beyond) => {
    expect(accepts(body, { ...valid, ...within })).toBe(true);
    expect(accepts(body, { ...valid, ...beyond })).toBe(false);
  });
});

test('an empty template is valid in a draft only', () => {
  expect(WRITES.map(([title, body, valid]) => [title, accepts(body, { ...valid, prompt: '' })])).toEqual([
    ['a new prompt', false],
    ['a version', false],
    ['a draft', true],
  ]);
});

test.each([
  ['name of a prompt', promptsCreate.body, 'name', { ...CONTENT }, LIMITS.promptNameBytes],
  ['label', labelsSet.params, 'label', { promptId: 'prm_1' }, LIMITS.labelBytes],
  ['key of a secret', secretsCreate.body, 'key', SECRET, LIMITS.secretKeyBytes],
])('a %s has at least one byte and at most its limit', (_, schema, field, rest, limit) => {
  const lengths = [0, 1, limit, limit + 1];
  const accepted = lengths.filter((length) => accepts(schema, { ...rest, [field]: text(length) }));
  expect(accepted).toEqual([1, limit]);
});

test.each(['A=B', 'line\nbreak', 'del\u007f', 'é'.repeat(257)])('no secret may be called %j', (key) => {
  expect(accepts(secretsCreate.body, { ...SECRET, key })).toBe(false);
});

test('the value of a secret may be empty and up to 64 KB long, counted in bytes', () => {
  const values = ['', 'é'.repeat(32 * 1024), `${'é'.repeat(32 * 1024)}x`];
  expect(values.map((value) => accepts(secretsCreate.body, { ...SECRET, value }))).toEqual([
    true,
    true,
    false,
  ]);
});
