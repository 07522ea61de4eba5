import { setImmediate } from 'node:timers/promises';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { generateApiKey } from '../../../lambdas/core/api-keys/new-key.ts';
import { API_KEY, findApiKey } from '../../../lambdas/store/api-keys/api-key-row.ts';
import { createApiKey, revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { signedItem, toItem } from '../../../lambdas/store/signing/writes.ts';
import { putItem } from '../../../lambdas/store/table.ts';
import type { SharedInstance } from '../calls.ts';
import { changeAt } from '../rows/table.ts';

const flipped = (apiKey: string, at: number): string =>
  apiKey.slice(0, at) + (apiKey[at] === 'a' ? 'b' : 'a') + apiKey.slice(at + 1);

/**
 * The security matrix of an endpoint that takes API keys. `body` is one that the endpoint would answer with 200.
 * Call it inside a `describe`.
 */
export const testKeySecurity = (endpoint: Endpoint, instance: () => SharedInstance, body: unknown): void => {
  const { access } = endpoint;
  const route = endpoint.route?.path ?? '';
  const [permission = 'prompts'] = access.kind === 'api-key' ? [access.permission].flat() : [];
  const other = permission === 'secrets' ? 'prompts' : 'secrets';
  const call = (apiKey: string, headers: Record<string, string> = {}, sent: unknown = body) =>
    instance().post(route, sent, apiKey, headers);
  const recordOf = async (keyId: string) => {
    const record = await findApiKey(instance().table, keyId);
    if (record === undefined) throw new Error(`There is no key ${keyId}.`);
    return record;
  };
  const texts = new Set<string>();
  const expectRefused = async (apiKey: string, headers: Record<string, string> = {}) => {
    const reply = await call(apiKey, headers);
    expect([reply.status, reply.code]).toEqual([401, 'unauthenticated']);
    texts.add(reply.text);
  };

  test('the scheme is case-insensitive, and spaces around the key are ignored', async () => {
    const { apiKey } = await instance().newKey({ permissions: [permission] });
    expect((await call('', { authorization: `bearer   ${apiKey} ` })).status).toBe(200);
  });

  test('a missing, empty or malformed header is rejected', async () => {
    const { apiKey } = await instance().newKey();
    await expectRefused('');
    for (const authorization of ['', 'Bearer', 'Bearer ', apiKey, `Basic ${apiKey}`, `Bearer ${apiKey} x`]) {
      await expectRefused('', { authorization });
    }
    await expectRefused('', { 'x-api-key': apiKey });
  });

  test('a mistyped, truncated or lengthened key is rejected', async () => {
    const { apiKey } = await instance().newKey();
    for (const at of [0, 5, 12, 14, 30, apiKey.length - 1]) await expectRefused(flipped(apiKey, at));
    await expectRefused(apiKey.slice(0, -1));
    await expectRefused(`${apiKey}0`);
  });

  test('a well-formed key that is unknown, or has the id of another, is rejected', async () => {
    await expectRefused(generateApiKey().apiKey);
    const { keyId } = await instance().newKey();
    const { table } = instance();
    const record = await recordOf(keyId);
    const other = generateApiKey();
    await putItem(table, await signedItem(table, API_KEY, { ...record, keyId: other.keyId }));
    await expectRefused(other.apiKey);
  });

  test('a key with a forged record is rejected, and the reply does not say why', async () => {
    const { table } = instance();
    const forged = generateApiKey();
    const record = { ...(await recordOf((await instance().newKey()).keyId)), ...forged };
    await putItem(table, toItem(API_KEY, record));
    const reply = await call(forged.apiKey);
    expect(reply).toMatchObject({ status: 500, code: 'integrity', json: { res: null } });
    expect(reply.json.err).toContain('Internal error.');
    const line = `The row APIKEY#${forged.keyId} / KEY is refused`;
    const logs = () => instance().logs.join('');
    // The log of a function arrives separately from its reply.
    while (!logs().includes(line)) await setImmediate();
    expect(logs()).toContain('"IntegrityFailures":1');
  });

  test('a key is accepted before its expiry, and rejected from then on', async () => {
    const expiring = (at: number) =>
      createApiKey(instance().table, changeAt(new Date(Date.now() - 3_600_000)), {
        name: 'expiring',
        permissions: [permission],
        expiresAt: new Date(at).toISOString(),
      });
    expect((await call((await expiring(Date.now() + 3_600_000)).apiKey)).status).toBe(200);
    await expectRefused((await expiring(Date.now())).apiKey);
  });

  test('revoking takes effect on the next request', async () => {
    const { apiKey, keyId } = await instance().newKey({ permissions: [permission] });
    expect((await call(apiKey)).status).toBe(200);
    await revokeApiKey(instance().table, changeAt(), keyId);
    await expectRefused(apiKey);
  });

  test('every rejected key gets the same message', () => {
    expect(texts.size).toBe(1);
    expect(JSON.parse([...texts][0] ?? '')).toEqual({
      err: expect.stringContaining('Authorization: Bearer'),
      res: null,
    });
  });

  test(`a key with only the permission "${other}" is forbidden`, async () => {
    const { apiKey } = await instance().newKey({ permissions: [other] });
    expect(await call(apiKey)).toMatchObject({ status: 403, code: 'forbidden', json: { res: null } });
  });

  test('a key for other addresses is rejected regardless of headers, one for this address is accepted', async () => {
    const { apiKey: elsewhere } = await instance().newKey({
      permissions: [permission],
      cidrs: ['203.0.113.0/24'],
    });
    const { apiKey: here } = await instance().newKey({
      permissions: [permission],
      cidrs: ['203.0.113.0/24', '127.0.0.0/8', '::1'],
    });
    const claim = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' };
    expect(await call(elsewhere, claim)).toMatchObject({ status: 403, code: 'address_not_allowed' });
    expect((await call(here)).status).toBe(200);
  });

  test('the key is checked before the body', async () => {
    const { apiKey } = await instance().newKey({ permissions: [other] });
    expect((await call('', {}, '{')).code).toBe('unauthenticated');
    expect((await call(apiKey, {}, '{')).code).toBe('forbidden');
  });
};
