import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { testKeySecurity } from '../../support/scenarios/key-security.ts';
import { testMalformed } from '../../support/scenarios/malformed.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

const NAME = uniqueName('known');

withSharedInstance();
beforeAll(async () => {
  await createPrompt(instance.table, changeAt(), { name: NAME, ...content('x') });
});

describe('API keys', () => testKeySecurity(promptGetCompiled, () => instance, { name: NAME }));
describe('malformed bodies', () => testMalformed(promptGetCompiled, () => instance));

test.each<[what: string, fields: object, status: number, ignored: string | null]>([
  ['a misspelled field', { varaibles: { user: 'SECRET-VALUE' } }, 200, 'varaibles'],
  ['one that is the reason for an error', { vesrion: '1.0.0', strict: 'SECRET-VALUE' }, 400, 'vesrion'],
  [
    'several, of which the sixth is left out, with what a header cannot hold',
    { 'é\r\nx': 'SECRET-VALUE', b: 1, c: [], d: {}, [`${'x'.repeat(63)}é`]: 1, f: 1 },
    200,
    `%C3%A9%0D%0Ax, b, c, d, ${'x'.repeat(63)}`,
  ],
  ['null', { varaibles: null, version: null }, 200, null],
])(
  '%s in the body is ignored, and named in a header without its value',
  async (_what, fields, status, ignored) => {
    const reply = await instance.post('/api/prompt/get-compiled', { name: NAME, ...fields });
    expect([reply.status, reply.headers.get('cuevault-ignored')]).toEqual([status, ignored]);
    expect(JSON.stringify([...reply.headers])).not.toContain('SECRET');
  },
);
