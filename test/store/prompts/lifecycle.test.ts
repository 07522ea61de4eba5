import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { daysAfter } from '../../../lambdas/core/days.ts';
import type { PromptContent } from '../../../lambdas/core/prompts/prompts.ts';
import type { Change } from '../../../lambdas/store/audit.ts';
import { entriesBefore } from '../../../lambdas/store/audit-log.ts';
import { listDeleted } from '../../../lambdas/store/prompts/deletions.ts';
import { deleteDraft, readDraft, saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { eventsSince } from '../../../lambdas/store/prompts/events.ts';
import { saveExamples } from '../../../lambdas/store/prompts/examples.ts';
import { promptPartition, readPromptHead } from '../../../lambdas/store/prompts/head.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { deletePrompt, getPrompt, restorePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { getVersion } from '../../../lambdas/store/prompts/lookups.ts';
import {
  LABEL_PROTECTION,
  PROTECTION_KEY,
  protectLabel,
  unprotectLabel,
} from '../../../lambdas/store/prompts/protection.ts';
import { deleteVersion, publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { purgePrompts } from '../../../lambdas/store/prompts/purge.ts';
import { listVersions } from '../../../lambdas/store/prompts/version-lists.ts';
import { putSigned } from '../../../lambdas/store/signing/writes.ts';
import { transact } from '../../../lambdas/store/transactions.ts';
import { deleteItem } from '../../../lambdas/store/updates.ts';
import { intercepted } from '../../support/aws/intercept.ts';
import { content, metadata, newPrompt, promptFinder, tags, text } from '../../support/rows/prompts.ts';
import {
  actorNamed,
  changeAt,
  expectRefused,
  rowsIn,
  table,
  withTestTable,
} from '../../support/rows/table.ts';
import { plantRow, rawRow, resignRow } from '../../support/rows/tampering.ts';
import { uniqueName } from '../../support/unique-name.ts';

withTestTable();

const START = new Date('2026-03-01T12:00:00.000Z');
const later = (days: number) => changeAt(daysAfter(START, days));
const deletedNames = async (days: number) =>
  (await listDeleted(table, daysAfter(START, days), 100)).items.map(({ name }) => name);

test('a deleted prompt is not changed, no version of it is read, and no draft saved', async () => {
  const { promptId } = await newPrompt(table);
  await deletePrompt(table, changeAt(), promptId);
  await expectRefused(getVersion(table, promptId, '1.0.0'), 'prompt_not_found');
  await expectRefused(setLabel(table, changeAt(), promptId, 'l', '1.0.0'), 'prompt_not_found');
  await expectRefused(saveDraft(table, changeAt(), promptId, content('x')), 'prompt_not_found');
});

test('a prompt deleted up to seven days ago is restored completely', async () => {
  const { promptId, name } = await newPrompt(table, { at: START });
  await publishVersion(table, later(1), promptId, { ...content('two'), tags: ['t'], version: '2.0.0' });
  await setLabel(table, later(1), promptId, 'production', '1.0.0');
  await saveDraft(table, later(1), promptId, content('draft'));
  const before = await getPrompt(table, promptId);
  await deletePrompt(table, later(2), promptId);
  expect(await deletedNames(3)).toContain(name);

  await restorePrompt(table, later(9), promptId);
  const after = await getPrompt(table, promptId);
  const { rev, generation, changedAt } = after.head;
  expect(after).toEqual({ ...before, head: { ...before.head, rev, generation, changedAt } });
  expect(rev).toBe(before.head.rev + 2);
  expect(await promptFinder(table)({ name, label: 'production' })).toMatchObject({
    version: '1.0.0',
  });
  expect(await deletedNames(9)).not.toContain(name);
});

describe('a reused name', () => {
  const recreated = async () => {
    const { promptId, name } = await newPrompt(table, { at: START, version: '1.4.0' });
    await publishVersion(table, later(0.1), promptId, { ...content('old'), version: '1.2.0' });
    await saveDraft(table, later(0.1), promptId, content('old draft'));
    await deletePrompt(table, later(1), promptId);
    return {
      promptId,
      name,
      create: (version?: string) =>
        newPrompt(table, { at: daysAfter(START, 2), name, version, overDeleted: true }),
    };
  };

  test('starts at any higher version and at no lower one, and never publishes an earlier number, even an unused one', async () => {
    const { promptId, create } = await recreated();
    for (const version of ['1.4.0', '1.3.9'])
      await expectRefused(create(version), 'version_taken', 'above 1.4.0');
    expect((await create('1.4.1')).latest).toBe('1.4.1');
    for (const version of ['1.4.0', '0.1.0'])
      await expectRefused(
        publishVersion(table, later(3), promptId, { ...content('x'), version }),
        'version_taken',
        'above 1.4.0',
      );
  });

  test('has none of the earlier versions, drafts, labels and events, and is no longer on the list of restorable prompts', async () => {
    const { promptId, name, create } = await recreated();
    expect(await deletedNames(2)).toContain(name);
    await create();
    expect(await deletedNames(2)).not.toContain(name);
    await expectRefused(restorePrompt(table, later(2), promptId), 'not_deleted');
    const find = promptFinder(table);
    for (const version of ['1.4.0', '1.2.0'])
      await expectRefused(find({ name, version }), 'version_not_found', version);
    await expectRefused(getVersion(table, promptId, '1.4.0'), 'version_not_found');
    await expectRefused(setLabel(table, later(3), promptId, 'l', '1.4.0'), 'version_not_found');
    expect(await readDraft(table, promptId)).toBeUndefined();
    const { head } = await getPrompt(table, promptId);
    expect((await listVersions(table, head, 9)).items.map(({ version }) => version)).toEqual(['2.0.0']);
    const events = await eventsSince(table, promptId, head.createdAt);
    expect(events.map(({ type }) => type)).toEqual(['prompt-created']);
  });
});

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

test('the excerpt is cut between characters, at 160 bytes', async () => {
  const { promptId } = await newPrompt(table, { prompt: `a${'😀'.repeat(500)}` });
  const { head } = await getPrompt(table, promptId);
  expect(head.excerpt).toBe(`a${'😀'.repeat(39)}`);
  expect(head.templateBytes).toBe(2_001);
});

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

const save = (promptId: string, prompt: string, rev?: number) =>
  saveDraft(table, changeAt(), promptId, { ...content(prompt), rev });

test('a repeated save whose reply was lost succeeds, but not for another operator', async () => {
  const { promptId } = await newPrompt(table);
  const first = await save(promptId, 'first');
  expect(await save(promptId, 'first')).toEqual(first);
  const input = { ...content('second'), baseVersion: '1.0.0', metaProperties: { a: [1] }, rev: first.rev };
  const second = await saveDraft(table, changeAt(), promptId, input);
  expect(await saveDraft(table, changeAt(), promptId, input)).toEqual(second);
  const colleague = { ...changeAt(), actor: actorNamed('colleague@example.com') };
  await expectRefused(saveDraft(table, colleague, promptId, input), 'changed_meanwhile');
});

test('the revision of a removed draft does not match the next one', async () => {
  const { promptId } = await newPrompt(table);
  const removed = await save(promptId, 'removed');
  await deleteDraft(table, changeAt(), promptId);
  await expectRefused(save(promptId, 'ghost', removed.rev), 'changed_meanwhile');
  const now = new Date(removed.savedAt).getTime() + 1;
  const next = await saveDraft(table, changeAt(new Date(now)), promptId, content('next'));
  await expectRefused(save(promptId, 'ghost', removed.rev), 'changed_meanwhile');
  expect(await readDraft(table, promptId)).toEqual(next);
});

test('a draft is not saved in a prompt that is being deleted', async () => {
  const { promptId } = await newPrompt(table);
  const racing = intercepted(table, async ({ name }, next) => {
    if (name === 'TransactWriteCommand') await deletePrompt(table, changeAt(), promptId);
    return next();
  });
  await expectRefused(saveDraft(racing, changeAt(), promptId, content('x')), 'prompt_not_found');
});

test('an editing session has one audit entry; another operator or half an hour starts the next', async () => {
  const { promptId } = await newPrompt(table);
  const start = new Date('2026-03-10T12:00:00Z');
  const after = (minutes: number, actor = 'ada@example.com') => ({
    ...changeAt(new Date(start.getTime() + minutes * 60_000)),
    actor: actorNamed(actor),
  });
  const saves = [
    after(0),
    after(1),
    after(29),
    after(58),
    after(89),
    after(90, 'bob@example.com'),
    after(91),
  ];
  let rev: number | undefined;
  for (const [i, change] of saves.entries()) {
    ({ rev } = await saveDraft(table, change, promptId, { ...content(`text ${i}`), rev }));
  }
  const audited = await Array.fromAsync(entriesBefore(table, `${PARTITIONS.auditChange}2026-03`, '~'));
  const entries = audited.filter(({ subject, action }) => subject === promptId && action === 'draft.save');
  expect(JSON.stringify(entries)).not.toContain('text 0');
  expect(entries.map(({ at, actor }) => [at, actor]).reverse()).toEqual(
    [after(0), after(89), after(90, 'bob@example.com'), after(91)].map(({ at, actor }) => [
      at.toISOString(),
      actor.name,
    ]),
  );
});

describe('the purge of deleted prompts', () => {
  const START = new Date('2026-03-01T12:00:00.000Z');
  const day = (days: number) => daysAfter(START, days);
  const purge = (days: number, through = table) => purgePrompts(through, day(days));

  // What the test before has left.
  beforeEach(() => purge(1_000));

  /** A prompt with two versions, the remains of a third, a draft and example values. */
  const fullPrompt = async () => {
    const { promptId, name } = await newPrompt(table, { at: day(0) });
    for (const version of ['1.1.0', '1.2.0'])
      await publishVersion(table, changeAt(day(0.1)), promptId, { ...content(version), version });
    await deleteVersion(table, changeAt(day(0.2)), promptId, '1.2.0');
    await saveDraft(table, changeAt(day(0.3)), promptId, content('draft'));
    await saveExamples(table, changeAt(day(0.4)), promptId, { user: 'Ada' });
    return { promptId, name };
  };

  /** Kinds of the rows in a prompt's partition, with how many there are of each. */
  const rowsOf = async (promptId: string): Promise<Record<string, number>> => {
    const kinds = (await rowsIn(table, promptPartition(promptId))).map(
      ({ sk }) => String(sk).split('#')[0] ?? '',
    );
    return Object.fromEntries(
      [...new Set(kinds)].map((kind) => [kind, kinds.filter((k) => k === kind).length]),
    );
  };

  const deletionRows = async (): Promise<number> => (await rowsIn(table, 'PROMPT-PURGE')).length;

  test('a prompt deleted more than seven days ago is purged, except its name and highest number, and not restored by a clock that is behind', async () => {
    const { promptId, name } = await fullPrompt();
    await deletePrompt(table, changeAt(day(1)), promptId);
    expect(await purge(8)).toBe(0);
    expect(await rowsOf(promptId)).toEqual({ HEAD: 1, VERSION: 3, DRAFT: 1, EXAMPLES: 1, EVENT: 5 });
    expect(await purge(8.01)).toBe(1);
    expect(await rowsOf(promptId)).toEqual({ HEAD: 1 });
    expect(await deletionRows()).toBe(0);
    for (const days of [7.999, 9])
      await expectRefused(restorePrompt(table, changeAt(day(days)), promptId), 'prompt_not_found');
    const again = await newPrompt(table, { at: day(9), prompt: 'new', name });
    expect(again).toMatchObject({ latest: '2.0.0', reservedUpTo: '1.2.0', versions: 1 });
    expect(await promptFinder(table)({ name })).toMatchObject({ version: '2.0.0', prompt: 'new' });
  });

  test('a restored prompt keeps everything', async () => {
    const { promptId } = await fullPrompt();
    await deletePrompt(table, changeAt(day(1)), promptId);
    await restorePrompt(table, changeAt(day(2)), promptId);
    const before = await rowsOf(promptId);
    expect(await purge(30)).toBe(0);
    expect(await rowsOf(promptId)).toEqual(before);
    expect(await deletionRows()).toBe(0);
  });

  test('purging an earlier deletion affects nothing of a prompt that has its name since, nor a later deletion that can still be undone', async () => {
    const { promptId, name } = await fullPrompt();
    await deletePrompt(table, changeAt(day(1)), promptId);
    await newPrompt(table, { at: day(2), prompt: 'second', name, overDeleted: true });
    await saveDraft(table, changeAt(day(3)), promptId, content('new draft'));
    await deletePrompt(table, changeAt(day(5)), promptId);
    expect(await purge(9)).toBe(1);
    await restorePrompt(table, changeAt(day(10)), promptId);
    expect(await promptFinder(table)({ name })).toMatchObject({
      version: '2.0.0',
      prompt: 'second',
    });
    expect(await rowsOf(promptId)).toEqual({ HEAD: 1, VERSION: 1, DRAFT: 1, EVENT: 3 });
  });

  test.each([0, 3, 8])('a run that is cut short after %i removals is completed by the next', async (most) => {
    const { promptId } = await fullPrompt();
    await deletePrompt(table, changeAt(day(1)), promptId);
    let removals = 0;
    const cutShort = intercepted(table, ({ name: command }, next) => {
      if (command === 'DeleteCommand' && ++removals > most) return Promise.reject(new Error('killed'));
      return next();
    });
    await expect(purge(9, cutShort)).rejects.toThrow(AggregateError);
    expect(await purge(9)).toBe(1);
    expect(await rowsOf(promptId)).toEqual({ HEAD: 1 });
    expect(await deletionRows()).toBe(0);
  });

  test('a name reused during a purge keeps its new rows', async () => {
    const { promptId, name } = await fullPrompt();
    await deletePrompt(table, changeAt(day(1)), promptId);
    let created = false;
    const racing = intercepted(table, async ({ name: command }, next) => {
      if (command === 'TransactWriteCommand' && !created) {
        created = true;
        await newPrompt(table, { at: day(9), prompt: 'new', name });
      }
      return next();
    });
    expect(await purge(9, racing)).toBe(0);
    expect(await purge(9)).toBe(1);
    expect(await promptFinder(table)({ name })).toMatchObject({ version: '2.0.0', prompt: 'new' });
    expect(await rowsOf(promptId)).toEqual({ HEAD: 1, VERSION: 1, EVENT: 1 });
  });

  test('a prompt that cannot be purged does not block others, and is reported at the end', async () => {
    const stuck = await fullPrompt();
    const other = await fullPrompt();
    await deletePrompt(table, changeAt(day(1)), stuck.promptId);
    await deletePrompt(table, changeAt(day(1)), other.promptId);
    const failing = intercepted(table, ({ input }, next) =>
      JSON.stringify(input).includes(`PROMPT#${stuck.promptId}`)
        ? Promise.reject(new Error('Injected.'))
        : next(),
    );
    await expect(purge(9, failing)).rejects.toThrow(AggregateError);
    expect(await rowsOf(other.promptId)).toEqual({ HEAD: 1 });
    expect(await purge(9)).toBe(1);
    expect(await rowsOf(stuck.promptId)).toEqual({ HEAD: 1 });
  });
});

describe('protected labels', () => {
  beforeAll(async () => transact(table, [await putSigned(table, LABEL_PROTECTION, { rev: 1, labels: [] })]));

  const byEditor = (): Change => ({ ...changeAt(), actor: actorNamed('editor@example.com'), isAdmin: false });

  /** A prompt whose first version has a protected label. */
  const guarded = async () => {
    const label = uniqueName('label');
    const { promptId } = await newPrompt(table);
    await publishVersion(table, changeAt(), promptId, { ...content('Two'), bump: 'minor' });
    await setLabel(table, changeAt(), promptId, label, '1.0.0');
    await protectLabel(table, changeAt(), label);
    return { label, promptId };
  };

  test('a label that is protected while an editor moves it does not move', async () => {
    const { promptId } = await newPrompt(table);
    const label = uniqueName('label');
    let meanwhile = false;
    const slow = intercepted(table, async ({ name }, next) => {
      if (name === 'TransactWriteCommand' && !meanwhile) {
        meanwhile = true;
        await protectLabel(table, changeAt(), label);
      }
      return next();
    });
    const move = setLabel(slow, byEditor(), promptId, label, '1.0.0');
    await expectRefused(move, 'label_protected', `"${label}"`);
    expect((await readPromptHead(table, promptId))?.labels).toEqual([]);
  });

  test('the number of protected labels is limited', async () => {
    const entry = { protectedAt: '', protectedBy: '' };
    const full = Array.from({ length: LIMITS.protectedLabels }, () => ({
      ...entry,
      label: uniqueName('label'),
    }));
    await resignRow(table, LABEL_PROTECTION, PROTECTION_KEY, { labels: full });
    await expectRefused(
      protectLabel(table, changeAt(), 'one-more'),
      'invalid_request',
      `${LIMITS.protectedLabels}`,
    );
    await unprotectLabel(table, changeAt(), full[0]?.label ?? '');
    await protectLabel(table, changeAt(), 'one-more');
    await resignRow(table, LABEL_PROTECTION, PROTECTION_KEY, { labels: [] });
  });

  test('who removes the row, and cannot sign another, lets no editor move a label', async () => {
    const { promptId, label } = await guarded();
    const row = await rawRow(table, PROTECTION_KEY);
    await deleteItem(table, PROTECTION_KEY);
    const move = setLabel(table, byEditor(), promptId, label, '1.1.0');
    await expectRefused(move, 'integrity');
    await plantRow(table, row);
  });
});
