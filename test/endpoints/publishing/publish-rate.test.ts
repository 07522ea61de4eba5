import { auditOf } from '../../support/rows/audit.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

// One call in ten seconds.
withOwnInstance({ publishRate: 0.1 });

test.each([
  ['publish', { name: 'x'.repeat(20_000) }, 'list'],
  ['list', {}, 'source'],
  ['source', { names: 1 }, 'move-labels'],
  ['move-labels', {}, 'publish'],
])(
  'a call of %s counts, whatever is wrong with it: the next, of whatever route, is told how long to wait, and the audit log says so',
  async (route, body, next) => {
    const key = await instance.newKey({ permissions: ['publish'] });
    const call = (name: string) => instance.post(`/api/prompt/${name}`, body, key.apiKey);
    expect((await call(route)).code).not.toBe('rate_limited');
    const { code, json, headers } = await call(next);
    expect(code).toBe('rate_limited');
    expect(json.err).toMatch(/^This API key may make 1 call from code in 10 seconds\. Wait \d+ s, /);
    expect(headers.get('retry-after')).toMatch(/^([1-9]|10)$/);
    expect(await auditOf(instance, 'refusal', key.keyId)).toMatchObject([{ details: { reason: 'rate' } }]);
  },
);
