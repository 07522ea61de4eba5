import { LIMITS } from '../../../contract/limits.ts';
import type { Change } from '../../../lambdas/store/audit.ts';
import { readPromptHead } from '../../../lambdas/store/prompts/head.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import {
  LABEL_PROTECTION,
  PROTECTION_KEY,
  protectLabel,
  unprotectLabel,
} from '../../../lambdas/store/prompts/protection.ts';
import { publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { putSigned } from '../../../lambdas/store/signing/writes.ts';
import { transact } from '../../../lambdas/store/transactions.ts';
import { deleteItem } from '../../../lambdas/store/updates.ts';
import { intercepted } from '../../support/aws/intercept.ts';
import { content, newPrompt } from '../../support/rows/prompts.ts';
import { actorNamed, changeAt, expectRefused, table, withTestTable } from '../../support/rows/table.ts';
import { plantRow, rawRow, resignRow } from '../../support/rows/tampering.ts';
import { uniqueName } from '../../support/unique-name.ts';

withTestTable();
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
