import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { DeleteItemCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient as mockForNow } from 'aws-sdk-client-mock';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { promptIdOf } from '../../lambdas/core/identifiers.ts';
import { createSigning } from '../../lambdas/core/signing.ts';
import { apiKeyKey } from '../../lambdas/store/api-keys/api-key-row.ts';
import { createApiKey, narrowApiKey, revokeApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { integrityFindings, reportFinding } from '../../lambdas/store/integrity/findings.ts';
import { findOperator, OPERATOR } from '../../lambdas/store/operators/operators.ts';
import { headKey, readPromptHead } from '../../lambdas/store/prompts/head.ts';
import { createPrompt, deletePrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import { publishVersion } from '../../lambdas/store/prompts/publishing.ts';
import { purgePrompts } from '../../lambdas/store/prompts/purge.ts';
import { versionKey } from '../../lambdas/store/prompts/versions.ts';
import { createSecret, updateSecret } from '../../lambdas/store/secrets/secrets.ts';
import { signedItem } from '../../lambdas/store/signing/writes.ts';
import { getItem, type Item, type Key, putItem } from '../../lambdas/store/table.ts';
import { deleteItem } from '../../lambdas/store/updates.ts';
import { vaultHeadKey } from '../../lambdas/store/vault/head.ts';
import { pageKey } from '../../lambdas/store/vault/page-rows.ts';
import { setServing } from '../../lambdas/store/vault/serving.ts';
import type { Vault } from '../../lambdas/store/vault/vault.ts';
import { REGION } from '../../local/aws/account.ts';
import { restoreRows, restoreStage } from '../../scripts/backup/rows.ts';
import { mockClient } from '../support/aws/mock-client.ts';
import { described, listed } from '../support/aws/stack.ts';
import { content, promptFinder } from '../support/rows/prompts.ts';
import { allItems, changeAt, rowsIn, TEST_CREDENTIALS } from '../support/rows/table.ts';
import { day, headOf, keptValues, readAll, vaults, withTestVaults } from '../support/rows/vault.ts';

withTestVaults();
const cloudFormation = mockClient(CloudFormationClient);
const lambda = mockClient(LambdaClient);

const by = (at: number) => changeAt(day(at));
const byAll = (a: Item, b: Item) => (`${a.pk}/${a.sk}` < `${b.pk}/${b.sk}` ? -1 : 1);
const everything = async (table: Vault) => (await allItems(table)).sort(byAll);

/** A table with something of each kind at day 1, and the copy of it at that time. */
const begin = async () => {
  const { table, kms } = await vaults.open();
  for (const name of ['greeting', 'other'])
    await createPrompt(table, by(0), { ...content('Hello'), name, label: 'production' });
  const { secretId } = await createSecret(table, by(0), { key: 'K', value: 'v' });
  await updateSecret(table, by(0), secretId, { value: 'w' });
  const { record } = await createApiKey(table, by(0), { name: 'app', permissions: ['prompts'] });
  const copy = await vaults.copy(table);
  const restore = (options = {}) => restoreRows(table, copy, { since: day(1), now: day(3), ...options });
  return { table, kms, secretId, keyId: record.keyId, copy, restore };
};

const remove = (table: Vault, { pk, sk }: Item) => deleteItem(table, { pk: String(pk), sk: String(sk) });

/** Removes a row by hand, and reports it as the function `changes` does. */
const removeAndReport = async (table: Vault, key: Key) => {
  const before = await getItem(table, key);
  await deleteItem(table, key);
  const record = { key, before, at: day(2), sequence: `${key.pk}${key.sk}`, expired: false, eventId: 'x' };
  for (const finding of await integrityFindings(table, [record as never]))
    await reportFinding(table, finding, day(2));
};

const ENTRY = /^(AUDIT|ACCESS|USE|VAULTUSE|DAYS|RECENT|FORMAT|PROMPT-COUNT)/;

test('rows of prompts, keys and the vault that were removed or forged are as they were, and a second run changes nothing', async () => {
  const { table, kms, secretId, restore } = await begin();
  const before = await everything(table);
  for (const row of before) if (!ENTRY.test(String(row.pk))) await remove(table, row);
  const [greeting] = before.filter(({ sk, name }) => sk === 'HEAD' && name === 'greeting');
  await putItem(table, { ...greeting, latest: '9.9.9' });
  const dry = await restore({ dryRun: true });
  expect((await everything(table)).length).toBeLessThan(before.length);
  const { written, left } = await restore();
  expect([written, left]).toEqual([dry.written, []]);
  expect(await everything(table)).toEqual(before);
  expect(await restore()).toEqual({ written: [], left: [] });
  expect(await promptFinder(table)({ name: 'greeting' })).toMatchObject({ prompt: 'Hello' });
  expect(await readAll(table, kms)).toEqual({ K: 'w' });
  expect(await keptValues(table, secretId)).toHaveLength(1);
});

test('what was changed since stays: no revocation, narrower limit or stop of serving is undone', async () => {
  const { table, keyId, restore } = await begin();
  const { record: narrowed } = await createApiKey(table, by(0), { name: 'b', permissions: ['prompts'] });
  const copy = await vaults.copy(table);
  await revokeApiKey(table, by(2), keyId);
  await narrowApiKey(table, by(2), narrowed.keyId, { prompts: ['greeting'] });
  await setServing(table, by(2), false, 'a key leaked');
  await publishVersion(table, by(2), promptIdOf('other'), content('Hello again'));
  const gone = [
    apiKeyKey(keyId),
    apiKeyKey(narrowed.keyId),
    vaultHeadKey(table),
    headKey(promptIdOf('other')),
  ];
  for (const key of gone) await deleteItem(table, key);
  const { written, left } = await restoreRows(table, copy, { since: day(1), now: day(3) });
  expect(written).toEqual([]);
  expect(left).toEqual(
    gone.map(({ pk, sk }) => `${pk} / ${sk} was changed after the time of the copy`).sort(),
  );
  expect((await restore()).written).toEqual([]);
});

test('a revocation counts also if somebody removes the record of the key and the audit entry', async () => {
  const { table, keyId, restore } = await begin();
  await revokeApiKey(table, by(2), keyId);
  const [entry] = (await rowsIn(table, 'AUDIT-CHANGE#2026-03')).filter(
    ({ action }) => action === 'api-key.revoke',
  );
  await deleteItem(table, apiKeyKey(keyId));
  await removeAndReport(table, { pk: String(entry?.pk), sk: String(entry?.sk) });
  expect(await restore()).toEqual({
    written: [],
    left: [expect.stringMatching(/^APIKEY#.* was changed after the time of the copy$/)],
  });
  expect(await getItem(table, apiKeyKey(keyId))).toBeUndefined();
});

test('operators never come back, nor what was purged, nor what does not verify in the copy', async () => {
  const { table, copy, restore, keyId } = await begin();
  const operator = { operatorId: 'o1', email: 'ada@example.com', group: 'admin', status: 'active', rev: 1 };
  await putItem(
    copy,
    await signedItem(copy, OPERATOR, { ...operator, changedAt: '', changedBy: '' } as never),
  );
  await deletePrompt(table, by(1), promptIdOf('other'));
  await purgePrompts(table, day(20));
  await putItem(copy, { ...(await getItem(copy, apiKeyKey(keyId))), permissions: ['secrets'] });
  await deleteItem(table, apiKeyKey(keyId));
  expect(await restore()).toEqual({
    written: [],
    left: [expect.stringContaining('does not verify in the copy either')],
  });
  expect(await findOperator(table, 'o1')).toBeUndefined();
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: versionKey(promptIdOf('other'), '1.0.0') }),
  );
  expect(Item).toBeUndefined();
});

test('a page of the vault that was damaged is put back, one with other content is not', async () => {
  const { table, copy, kms, restore } = await begin();
  const [{ id = '' } = {}] = (await headOf(table)).pages;
  await putItem(table, { ...pageKey(table, id), body: Buffer.from('other') });
  await putItem(copy, { ...pageKey(copy, 'forged'), body: Buffer.from('forged') });
  expect(await restore()).toEqual({ written: [`VAULTPAGE#default#${id} / PAGE`], left: [] });
  expect(await readAll(table, kms)).toEqual({ K: 'w' });
});

test('a container that has seen a later revision refuses the row until another takes its place', async () => {
  const { table, restore } = await begin();
  const promptId = promptIdOf('other');
  const id = `${table.name}/${headKey(promptId).pk}/HEAD`;
  table.signing.seen.set(id, 7);
  await deleteItem(table, headKey(promptId));
  expect((await restore()).written).toEqual([`${headKey(promptId).pk} / HEAD`]);
  await expect(readPromptHead(table, promptId)).rejects.toMatchObject({ code: 'integrity' });
  const fresh = { ...table, signing: createSigning(table.signing.publicKeys) };
  expect(await readPromptHead(fresh, promptId)).toMatchObject({ name: 'other' });
});

test('of a deployment, only a finished recovery of its table is read, and only who may write changes anything', async () => {
  const { table, copy } = await begin();
  const dynamodb = mockForNow(DynamoDBClient);
  cloudFormation
    .on(DescribeStacksCommand)
    .resolves(described())
    .on(ListStackResourcesCommand)
    .resolves({
      StackResourceSummaries: [listed('AWS::Lambda::Function', 'backuprestoreFunction', 'restore')],
    });
  const Variables = {
    [ENVIRONMENT.table]: table.name,
    [ENVIRONMENT.stage]: 'test',
    [ENVIRONMENT.containers]: '4',
    [ENVIRONMENT.publicKeys]: table.signing.publicKeys,
  };
  lambda.on(GetFunctionConfigurationCommand).resolves({ Environment: { Variables } });
  const { protocol = '', hostname = '', port } = (await table.client.config.endpoint?.()) ?? {};
  Object.assign(process.env, {
    AWS_REGION: REGION,
    AWS_ENDPOINT_URL_DYNAMODB: `${protocol}//${hostname}:${port}`,
    AWS_ACCESS_KEY_ID: TEST_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: TEST_CREDENTIALS.secretAccessKey,
  });
  const restored = (summary: object) =>
    dynamodb.on(DescribeTableCommand).resolves({ Table: { RestoreSummary: summary as never } });
  const run = (dryRun = false) => restoreStage('prod', { from: copy.name, dryRun });
  const of = { RestoreDateTime: day(1), SourceTableArn: `arn:aws:dynamodb:x:1:table/${table.name}` };
  restored({});
  await expect(run()).rejects.toThrow('was not restored from');
  restored({ ...of, SourceTableArn: `${of.SourceTableArn}2` });
  await expect(run()).rejects.toThrow('was not restored from');
  restored({ ...of, RestoreInProgress: true });
  await expect(run()).rejects.toThrow('still being restored');
  restored({ ...of, RestoreInProgress: false });
  const named = (name: string) => Object.assign(new Error(name), { name });
  dynamodb.on(DeleteItemCommand).rejects(named('AccessDeniedException'));
  await deleteItem(table, headKey(promptIdOf('other')));
  await expect(run()).rejects.toThrow('repairRoleArn');
  expect(await run(true)).toMatch(
    /^would put back: PROMPT#.* HEAD\n1 row of the table as it was at 2026-03-02/,
  );
  dynamodb.on(DeleteItemCommand).rejects(named('ConditionalCheckFailedException'));
  expect(await run()).toMatch(/^put back: PROMPT#.* HEAD\n1 row .*\n.*-c stage=prod -c containers=5$/);
  expect(await readPromptHead(table, promptIdOf('other'))).toMatchObject({ name: 'other' });
  dynamodb.restore();
});
