import type { Endpoint } from '../../../contract/endpoint.ts';
import type { SharedInstance } from '../calls.ts';

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

/** Bodies that every endpoint rejects, by what is wrong with them. */
export const MALFORMED: Readonly<Record<string, string>> = {
  'an empty body': '',
  'bad JSON': '{"name": ',
  'an array': '[]',
  'a number': '7',
  'a string': '"name"',
  null: 'null',
  'deeply nested arrays': nested(200_000, '[', ']'),
  'deeply nested objects': nested(100_000, '{"a":', '}').replace(':}', ':1}'),
  'deep nesting inside an unknown field': `{"unknown": ${nested(500, '[', ']')}}`,
  'a lone surrogate': '{"key": "\\ud800", "name": "\\ud800"}',
  'a lone surrogate in a name': '{"\\udfff": 1}',
  'a number beyond all bounds': '{"key": 1e999, "name": 1e999}',
  'wrong types': '{"name": {}, "key": [], "tags": 7, "version": [], "variables": "x"}',
  'a body above the limit': `{"name": "${'x'.repeat(1_048_576)}"}`,
};

/** Every malformed body gets the envelope with a 4xx status. Call it inside a `describe`. */
export const testMalformed = (endpoint: Endpoint, instance: () => SharedInstance): void => {
  const route = endpoint.route?.path ?? '';

  test.each(Object.entries(MALFORMED))('%s is rejected with the envelope', async (_, body) => {
    const reply = await instance().post(route, body);
    expect(reply.json).toEqual({ err: expect.stringMatching(/\S.*\.$/), res: null });
    expect(['invalid_json', 'invalid_request', 'body_too_large']).toContain(reply.code);
    expect([400, 413]).toContain(reply.status);
    expect(reply.headers.get('cuevault-request-id')).toMatch(/\S/);
  });

  test('bytes that are not UTF-8 are rejected with the envelope', async () => {
    const response = await fetch(instance().url + route, {
      method: 'POST',
      headers: { authorization: `Bearer ${instance().firstRun.apiKey}` },
      body: Uint8Array.of(0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d),
    });
    expect([response.status, response.headers.get('cuevault-error')]).toEqual([400, 'invalid_json']);
  });

  test('__proto__ in the body is an unknown field like any other', async () => {
    const reply = await instance().post(route, '{"__proto__": {"key": "x", "name": "x"}, "constructor": 1}');
    expect(reply.status).toBeLessThan(500);
    expect(Object.keys(reply.json)).toEqual(['err', 'res']);
  });

  test('the reply has the standard headers', async () => {
    const { headers } = await instance().post(route, {});
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });
};
