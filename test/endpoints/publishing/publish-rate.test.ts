import { auditOf } from '../../support/rows/audit.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

// One call in ten seconds.
withOwnInstance({ publishRate: 0.1 });

test('a key that calls too often from code, on whatever route, is told how long to wait, and the audit log says so', async () => {
  const key = await instance.newKey({ permissions: ['publish'], labels: ['live'] });
  const bodies = {
    list: {},
    source: { names: ['a'] },
    'move-labels': { moves: [{ name: 'a', label: 'live', from: null, to: '1.0.0' }] },
  };
  const codes: (string | null)[] = [];
  // Ten seconds may end between two calls.
  for (let round = 0; !codes.includes('rate_limited') && round < 9; round++)
    for (const [route, body] of Object.entries(bodies)) {
      const { code, json, headers } = await instance.post(`/api/prompt/${route}`, body, key.apiKey);
      codes.push(code);
      if (code !== 'rate_limited') continue;
      expect(json.err).toMatch(/^This API key may make 1 call from code in 10 seconds\. Wait \d+ s, /);
      expect(headers.get('retry-after')).toMatch(/^([1-9]|10)$/);
    }
  expect(codes).toContain('rate_limited');
  const refusals = await auditOf(instance, 'refusal', key.keyId);
  expect(refusals.map(({ details }) => details.reason)).toContain('rate');
});

test('a call counts whatever is wrong with its body', async () => {
  const route = '/api/prompt/publish';
  for (const body of [{}, { name: 1 }, { name: 'x'.repeat(20_000) }]) {
    const key = await instance.newKey({ permissions: ['publish'] });
    expect((await instance.post(route, body, key.apiKey)).code).toBe('invalid_request');
    expect((await instance.post(route, body, key.apiKey)).code).toBe('rate_limited');
  }
});
