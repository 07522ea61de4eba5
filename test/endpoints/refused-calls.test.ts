import { REFUSALS, type RefusalReason } from '../../contract/http/errors.ts';
import { generateApiKey } from '../../lambdas/core/api-keys/new-key.ts';
import { createApiKey, revokeApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { createSecret } from '../../lambdas/store/secrets/secrets.ts';
import { ask } from '../support/admin.ts';
import { LOOPBACK } from '../support/calls.ts';
import { withWrongSecret } from '../support/rows/api-keys.ts';
import { changeAt } from '../support/rows/table.ts';
import { instance, withOwnInstance } from '../support/shared/instance.ts';
import { newTrust, tokenOfWorker } from '../support/trusts.ts';

const SECRETS = '/api/vault/get-secrets';
const HIDDEN = 'HIDDEN_SECRET';

withOwnInstance();
beforeAll(async () => {
  await createSecret(instance.table, changeAt(), { key: HIDDEN, value: 'MARKED-VALUE', tags: ['private'] });
});

interface Caller {
  readonly keyId: string;
  readonly apiKey: string;
}

const expired = async (): Promise<Caller> => {
  const input = {
    name: 'test key',
    permissions: ['secrets'],
    expiresAt: '1970-01-01T01:00:00.000Z',
  } as const;
  const { apiKey, record } = await createApiKey(instance.table, changeAt(new Date(0)), input);
  return { apiKey, keyId: record.keyId };
};

const revoked = async (): Promise<Caller> => {
  const key = await instance.newKey();
  await revokeApiKey(instance.table, changeAt(), key.keyId);
  return key;
};

const KNOWN: Readonly<Partial<Record<RefusalReason, () => Promise<Caller>>>> = {
  wrong_secret: async () => {
    const { keyId } = await instance.newKey();
    return { keyId, apiKey: withWrongSecret(keyId) };
  },
  expired,
  revoked,
  permission: () => instance.newKey({ permissions: ['prompts'] }),
  address: () => instance.newKey({ cidrs: ['203.0.113.0/24'] }),
  tags: () => instance.newKey({ tags: ['public'] }),
};

const parsed = (line: string) => JSON.parse(line) as Record<string, unknown>;
const lines = () => instance.logs.flatMap((line) => line.split('\n').filter((text) => text !== ''));
const refusedLines = () => lines().filter((line) => line.includes('"call refused"'));

test.each(Object.entries(KNOWN))(
  'a call refused for "%s" is logged, counted by reason, and written to the audit log once a minute',
  async (reason, caller) => {
    const { keyId, apiKey } = await caller();
    const createdAt = new Date().toISOString();
    const userAgent = `tool/${'x'.repeat(400)}`;
    const headers = { 'user-agent': userAgent };
    const call = () => instance.post(SECRETS, { key: HIDDEN }, apiKey, headers);
    const before = refusedLines().length;
    const reply = await call();
    expect(reply.code).toBe(REFUSALS[reason as RefusalReason]);
    await call();
    const logged = refusedLines().slice(before).map(parsed);
    expect(logged).toHaveLength(2);
    expect(logged[0]).toMatchObject({
      keyId,
      Reason: reason,
      RefusedCalls: 1,
      Stage: 'local',
      sourceIp: expect.stringMatching(LOOPBACK),
      _aws: {
        CloudWatchMetrics: [
          {
            Dimensions: [
              ['Stage', 'Reason'],
              ['Stage', 'Group'],
            ],
          },
        ],
      },
    });
    const { entries } = await ask(instance, 'audit-list', { query: { kind: 'refusal', actor: keyId } });
    // The two calls may fall into different minutes.
    expect([1, 2]).toContain(entries.length);
    expect(entries[0]).toMatchObject({
      kind: 'refusal',
      actorId: keyId,
      actor: 'test key',
      action: 'call.refuse',
      subject: 'vault-get-secrets',
      name: 'vault-get-secrets',
      details: { reason, asked: HIDDEN, sourceIp: expect.stringMatching(LOOPBACK) },
    });
    expect(new Set(entries.map(({ at }: { at: string }) => at)).size).toBe(entries.length);
    // Not before the key existed, as the beginning of the minute could be.
    const first = entries.at(-1);
    expect([createdAt, first.at, first.entryId].sort()).toEqual([createdAt, first.at, first.entryId]);
    const { keys } = await ask(instance, 'keys-list', { query: { q: keyId } });
    expect(keys[0]).toMatchObject({ lastUsedAt: null, refused: { reason, asked: HIDDEN } });
    const { refused } = await ask(instance, 'overview-get');
    expect(refused[0]).toMatchObject({ keyId, name: 'test key', reason, minutes: entries.length });
    expect(entries[0].details.userAgent).toBe(userAgent.slice(0, 256));
    expect(lines().join()).not.toContain(apiKey);
  },
);

test('a restricted key cannot tell a hidden secret from a missing one, and both count as refusals', async () => {
  const { apiKey } = await instance.newKey({ tags: ['public'] });
  const before = refusedLines().length;
  const hidden = await instance.post(SECRETS, { key: HIDDEN }, apiKey);
  const missing = await instance.post(SECRETS, { key: 'NO_SUCH_SECRET' }, apiKey);
  expect([hidden.status, hidden.text]).toEqual([404, missing.text.replace('NO_SUCH_SECRET', HIDDEN)]);
  expect(refusedLines().slice(before).map(parsed)).toMatchObject([{ Reason: 'tags' }, { Reason: 'tags' }]);
});

test('a secret that an unrestricted key does not find is not a refusal', async () => {
  const { apiKey } = await instance.newKey();
  const before = refusedLines().length;
  expect((await instance.post(SECRETS, { key: 'NO_SUCH_SECRET' }, apiKey)).status).toBe(404);
  expect((await instance.post(SECRETS, { key: HIDDEN, tags: ['public'] }, apiKey)).status).toBe(404);
  expect(refusedLines()).toHaveLength(before);
});

test('calls without a known key are counted too, with the key or trust that they name, but write no audit entry', async () => {
  const before = refusedLines().length;
  const unknown = generateApiKey();
  await instance.post(SECRETS, {}, unknown.apiKey);
  await instance.post(SECRETS, {}, 'cue_nothing');
  await instance.post(SECRETS, {}, '');
  const unfetched = 'https://unfetched.example.com';
  const trust = await newTrust(instance, { issuer: unfetched, permissions: ['secrets'] });
  for (const iss of [unfetched, 'https://another.example.com'])
    await instance.post(SECRETS, {}, await tokenOfWorker(instance, { iss, aud: trust.audience }));
  const logged = refusedLines().slice(before).map(parsed);
  expect(logged.map(({ Reason, keyId }) => [Reason, keyId])).toEqual([
    ['unknown_key', unknown.keyId],
    ['malformed_key', undefined],
    ['malformed_key', undefined],
    ['signing_key', trust.keyId],
    ['wrong_token', trust.keyId],
  ]);
  for (const actor of [unknown.keyId, trust.keyId])
    expect((await ask(instance, 'audit-list', { query: { kind: 'refusal', actor } })).entries).toEqual([]);
});
