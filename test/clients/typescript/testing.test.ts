// The fake service for tests of applications.
import { Cuevault, CuevaultError, getPrompt } from '../../../clients/typescript/src/index.ts';
import { type Failure, type FakeContent, fakeCuevault } from '../../../clients/typescript/src/testing.ts';

const CONTENT: FakeContent = {
  prompts: {
    simple: 'Hello {{user}}!',
    grown: {
      versions: { '1.9.0': 'nine', '1.10.0': 'ten' },
      labels: { production: '1.9.0' },
      tags: ['a'],
      metaProperties: { model: 'm' },
    },
  },
  secrets: { PLAIN: 'one', TAGGED: { value: 'two', tags: ['db', 'prod'] } },
};

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'nothing failed',
    (error) => (error instanceof CuevaultError ? error.code : error),
  );

test('it replies as the service does: latest, versions, labels, tags, and missing items', async () => {
  const { prompts, secrets } = fakeCuevault(CONTENT).client();
  expect(await prompts.get('grown')).toMatchObject({ version: '1.10.0', prompt: 'ten', tags: ['a'] });
  expect(await prompts.get('grown', { label: 'production' })).toMatchObject({ version: '1.9.0' });
  expect(await prompts.get({ promptId: 'prm_simple' })).toMatchObject({ name: 'simple', version: '1.0.0' });
  expect(await secrets.all()).toEqual({ PLAIN: 'one', TAGGED: 'two' });
  expect(await secrets.all({ tags: ['db'] })).toEqual({ TAGGED: 'two' });
  expect([
    await codeOf(prompts.get('nobody')),
    await codeOf(prompts.get('toString')),
    await codeOf(prompts.get('grown', { version: '9.9.9' })),
    await codeOf(prompts.get('grown', { label: 'none' })),
    await codeOf(secrets.get('PLAIN', { tags: ['db'] })),
  ]).toEqual([
    'prompt_not_found',
    'prompt_not_found',
    'version_not_found',
    'label_not_found',
    'secret_not_found',
  ]);
});

test('it compiles on request, as the service does', async () => {
  const chat = [{ role: 'user', content: '{{a}} {{b}}' }] as const;
  const { fetch } = fakeCuevault({ prompts: { ...CONTENT.prompts, chat } });
  const asked = { url: 'http://localhost', apiKey: 'k', fetch, name: 'chat' };
  const variables = { a: 1 };
  const compiled = [{ role: 'user', content: '1 {{b}}' }];
  expect((await getPrompt({ ...asked, variables })).res).not.toHaveProperty('compiledPrompt');
  expect((await getPrompt({ ...asked, variables, shouldCompile: true })).res).toMatchObject({
    compiledPrompt: JSON.stringify(compiled),
    compiledMessages: compiled,
  });
  const strict = await getPrompt({ ...asked, variables, shouldCompile: true, strict: true });
  expect(strict.err).toContain('needs a value for "b"');
});

test.each<[Failure, string, number | undefined]>([
  ['unavailable', 'unavailable', 503],
  ['rate_limited', 'rate_limited', 429],
  ['timeout', 'timeout', undefined],
  ['connection', 'connection_failed', undefined],
  ['unauthenticated', 'unauthenticated', 401],
])('an outage of kind %s fails with %s until it ends, and is logged', async (kind, code, status) => {
  const fake = fakeCuevault(CONTENT);
  const { prompts, secrets } = fake.client();
  fake.outage(kind);
  expect([await codeOf(secrets.all()), await codeOf(prompts.get('simple'))]).toEqual([code, code]);
  fake.recover();
  expect(await secrets.get('PLAIN')).toBe('one');
  expect(fake.calls).toEqual([
    { operation: 'secrets', body: {}, status },
    { operation: 'prompt', body: { name: 'simple' }, status },
    { operation: 'secrets', body: { key: 'PLAIN' }, status: 200 },
  ]);
});

test('changed content is served immediately, and a custom client can use it', async () => {
  const content: FakeContent = { secrets: { A: 'old' } };
  const { fetch } = fakeCuevault(content);
  const client = new Cuevault({ apiKey: 'cue_test', fetch });
  expect(await client.secrets.get('A')).toBe('old');
  content.secrets = { A: 'new' };
  expect(await client.secrets.get('A')).toBe('new');
});
