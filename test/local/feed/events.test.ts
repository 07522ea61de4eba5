import { readFileSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { webhookGet, webhookSendAgain } from '../../../contract/endpoints/webhook.ts';
import { EVENT_DETAILS, type EventType, eventJsonSchema, eventSchema } from '../../../contract/events.ts';
import { configIn } from '../../../contract/sign-in.ts';
import { narrowApiKey, revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { inviteOperators, updateOperator } from '../../../lambdas/store/operators/changes.ts';
import { operatorWith } from '../../../lambdas/store/operators/operators.ts';
import { operatorOf } from '../../../lambdas/store/operators/people.ts';
import { saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { moveLabels } from '../../../lambdas/store/prompts/label-sets.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { deletePrompt, restorePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { protectLabel, unprotectLabel } from '../../../lambdas/store/prompts/protection.ts';
import { deleteVersion, publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { deleteSecret, restoreSecret } from '../../../lambdas/store/secrets/removals.ts';
import { rollbackSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { readVaultHead } from '../../../lambdas/store/vault/head.ts';
import { restoreRevision } from '../../../lambdas/store/vault/revisions.ts';
import { setServing } from '../../../lambdas/store/vault/serving.ts';
import { COMPANY_PROVIDER } from '../../../local/aws/account.ts';
import { ask, send, useInstance } from '../../support/admin.ts';
import { openInstance, type TestInstance } from '../../support/instance.ts';
import { putEnvironments } from '../../support/rows/environments.ts';
import { content, newPrompt } from '../../support/rows/prompts.ts';
import { SECRET_MARKER, storeSecret } from '../../support/rows/secrets.ts';
import { changeAt } from '../../support/rows/table.ts';
import { withServer } from '../../support/server.ts';
import { sharedInstance } from '../../support/shared/instance.ts';

// biome-ignore lint/suspicious/noExplicitAny: what comes over the wire
const delivered: any[] = [];
const receiver = withServer(async (request, response) => {
  delivered.push(await json(request));
  response.end();
});

let webhook: string;
let instance: TestInstance;
beforeAll(async () => {
  webhook = `${receiver.url}/changes?token=webhook-token`;
  instance = useInstance(await openInstance({ webhook, consumes: 'after-writes', isFirstStart: true }));
});
afterAll(() => instance.stop());

/** Somebody of the company who signs in, is confirmed, and changes their address, then to that of another operator. */
const aConfirmedPerson = async (table: TestInstance['table']): Promise<void> => {
  const stores = { table, pool: { client: new CognitoIdentityProviderClient(), userPoolId: 'none' } };
  const change = changeAt();
  const email = 'person@example.com';
  await inviteOperators(stores, change, [email], 'viewer', 'company');
  const person = { ...COMPANY_PROVIDER, userId: 'u1', email, isVerified: false };
  await operatorOf(table, person, change);
  const { operatorId = '', requests = [] } = (await operatorWith(table, email)) ?? {};
  await updateOperator(stores, change, operatorId, { confirm: requests[0]?.requestId ?? '' });
  await operatorOf(table, person, change);
  for (const renamed of ['renamed@example.com', 'events@example.com'])
    await operatorOf(table, { ...person, email: renamed, isVerified: true }, change);
};

const makeEveryChange = async ({ table, newKey, post }: TestInstance) => {
  const { promptId, name } = await newPrompt(table);
  const { apiKey } = await newKey({ permissions: ['publish'], prompts: [name] });
  const { res } = (await post('/api/prompt/source', { names: [name] }, apiKey)).json;
  const [{ version: base, content: exported }] = res.prompts;
  const source = { repository: 'acme/app', path: 'a.prompt', commit: 'a'.repeat(40) };
  await post('/api/prompt/publish', { name, base, content: exported, source }, apiKey);
  await publishVersion(table, changeAt(), promptId, { ...content('Hi'), bump: 'minor' });
  await saveDraft(table, changeAt(), promptId, content('Draft'));
  await setLabel(table, changeAt(), promptId, 'production', '1.1.0');
  await setLabel(table, changeAt(), promptId, 'production', null);
  const byKey = { ...changeAt(), actor: { id: 'key1', name: 'API key ci' } };
  await moveLabels(table, byKey, [{ name, label: 'beta', from: null, to: '1.1.0' }]);
  await moveLabels(table, byKey, [{ name, label: 'beta', from: '1.1.0', to: null }]);
  await protectLabel(table, changeAt(), 'production');
  await unprotectLabel(table, changeAt(), 'production');
  await deleteVersion(table, changeAt(), promptId, '1.0.0');
  await deletePrompt(table, changeAt(), promptId);
  await restorePrompt(table, changeAt(), promptId);
  const reader = await newKey();
  await post('/api/prompt/get-compiled', { name, label: 'missing' }, reader.apiKey);
  const { secretId } = await storeSecret({ tags: ['a'] });
  const { number } = await updateSecret(table, changeAt(), secretId, { value: `${SECRET_MARKER} second` });
  await rollbackSecret(table, changeAt(), secretId, number - 1);
  await importSecrets(table, changeAt(), [{ key: 'IMPORTED', value: SECRET_MARKER }], []);
  await deleteSecret(table, changeAt(), secretId);
  await restoreSecret(table, changeAt(), secretId);
  const { revision } = await readVaultHead(table);
  await restoreRevision(table, changeAt(), revision - 1);
  for (const allowed of [false, true]) await setServing(table, changeAt(), allowed, 'a drill');
  const { keyId } = await newKey();
  await narrowApiKey(table, changeAt(), keyId, { name: 'renamed' });
  await revokeApiKey(table, changeAt(), keyId);
  await ask('rotation-start', { keyVersion: 1 });
  await putEnvironments();
  await ask('notifications-test');
  const invitation = { emails: ['events@example.com'], group: 'editor' };
  const { operators } = await ask('operators-invite', invitation);
  const params = { operatorId: String(operators[0].operatorId) };
  await aConfirmedPerson(table);
  for (const body of [{ group: 'viewer' }, { enabled: false }, { enabled: true }, { resetSignIn: true }])
    await ask('operators-update', { ...params, ...body });
  await instance.settled();
};

test('every change but that of a draft is sent once, matches its schema, and contains no value or API key', async () => {
  await makeEveryChange(instance);
  await instance.settled();
  // Events about the age of the key pair and new values need days to pass; those of backups are tested with them.
  const expected = Object.keys(EVENT_DETAILS).filter(
    (type) =>
      !/^(secret\.received_by_all|prompt\.tried|vault\.(retire-keys|import-keys|who-has)|backup\..*|operator\.remove|(prompt|api-key)\.import)$/.test(
        type,
      ),
  );
  expect([...new Set(delivered.map(({ type }) => type))].sort()).toEqual(expected.sort());
  for (const event of delivered) {
    expect(eventSchema(event.type as EventType).parse(event)).toEqual(event);
    expect(event).toMatchObject({ schema: 1, stage: 'local' });
  }
  expect(new Set(delivered.map(({ id }) => id)).size).toBe(delivered.length);
  expect(JSON.stringify(delivered)).not.toContain(SECRET_MARKER);
  expect(JSON.stringify(delivered)).not.toContain('cue_');
});

test('administrators, and nobody else, see the deliveries and send an event again', async () => {
  delivered.length = 0;
  await instance.newKey({ name: 'delivered again' });
  await instance.settled();
  for (const endpoint of [webhookGet, webhookSendAgain]) {
    const params = { deliveryId: 'none' };
    expect((await send(endpoint, params, { token: '' })).status).toBe(401);
    expect((await send(endpoint, params, 'editor')).status).toBe(403);
  }
  const { receiver, deliveries } = await ask(webhookGet);
  expect(receiver).toBe(new URL(webhook).origin);
  expect(JSON.stringify(deliveries)).not.toContain('webhook-token');
  expect(deliveries[0]).toMatchObject({
    type: 'api-key.create',
    name: 'delivered again',
    state: 'delivered',
  });
  expect(delivered).toHaveLength(1);
  const { deliveryId } = deliveries[0];
  expect(await ask(webhookSendAgain, { deliveryId })).toMatchObject({
    delivery: { state: 'pending' },
  });
  await instance.settled();
  expect(delivered).toEqual([delivered[0], delivered[0]]);
  const none = await send(webhookSendAgain, { deliveryId: 'none' });
  expect([none.status, none.json.err]).toEqual([404, expect.stringContaining('no longer available')]);
});

test('without a webhook, its routes do not exist and the site does not offer them', async () => {
  const other = await sharedInstance();
  expect(await send(webhookGet, {}, { on: other })).toMatchObject({
    status: 404,
    code: 'route_not_found',
  });
  const configOf = async (origin: string) => configIn(await (await fetch(origin)).text());
  expect(await configOf(other.url)).not.toHaveProperty('hasWebhook');
  expect(await configOf(instance.url)).toMatchObject({ hasWebhook: true });
});

test.each(Object.keys(EVENT_DETAILS) as EventType[])(
  'docs/events/schemas/%s.json matches the contract: run "npm run openapi" after a change',
  (type) => {
    const written = JSON.parse(readFileSync(`docs/events/schemas/${type}.json`, 'utf8'));
    expect(written).toEqual(JSON.parse(JSON.stringify(eventJsonSchema(type))));
  },
);
