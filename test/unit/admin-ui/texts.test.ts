import { ApiError, messageOf } from '../../../admin-ui/src/api/api-error.ts';
import { askedOf, matches } from '../../../admin-ui/src/app/commands/typed.ts';
import { verbOf } from '../../../admin-ui/src/components/audit-words.ts';
import { listed, localeOf, relative } from '../../../admin-ui/src/components/locale.ts';
import { stepFor } from '../../../admin-ui/src/components/scale.ts';
import { changeSeveral } from '../../../admin-ui/src/components/several.ts';
import { searchedFor } from '../../../admin-ui/src/components/tables/searched-for.ts';
import { expiresAt, lifetimeOf, offeredBefore } from '../../../admin-ui/src/features/api-keys/expiry.ts';
import {
  keyExamples,
  type PromptExample,
  reachOf,
} from '../../../admin-ui/src/features/api-keys/key-texts.ts';
import { presetOf } from '../../../admin-ui/src/features/api-keys/trust-presets.ts';
import { type AuditDays, timesOf } from '../../../admin-ui/src/features/audit/audit-times.ts';
import { untouchedOf } from '../../../admin-ui/src/features/overview/untouched.ts';
import { rotationAfter } from '../../../admin-ui/src/features/secrets/rotation.ts';

test('the examples for a key fetch a prompt with its variables if there is one, or else secrets, without the key', () => {
  const example = (permissions: string[], prompt: PromptExample | null) =>
    keyExamples('http://h', permissions, prompt)[0]?.text ?? '';
  const greeting: PromptExample = {
    name: 'greeting',
    choice: { kind: 'label', label: 'production' },
    variables: [['user', '…']],
  };
  const fetched = example(['prompts', 'secrets'], greeting);
  expect(fetched).toMatch(/'http:\/\/h\/api\/prompt\/get-compiled'.*\$CUEVAULT_API_KEY.*"user": "…"/s);
  expect(example(['secrets'], greeting)).toContain('/api/vault/get-secrets');
  expect(example(['prompts', 'secrets'], null)).toContain('/api/vault/get-secrets');
  expect(example(['prompts'], null)).toContain('/api/prompt/get-compiled');
  expect(example(['publish'], greeting)).toContain('/api/prompt/list');
});

test('the audit log says which label a publish moved, and that a refusal stands for one or more calls', () => {
  const said = (action: string, details: Record<string, unknown>) =>
    verbOf({ action, subject: 's', name: 'n', details });
  const publish = { version: '3.0.0', label: 'production' };
  expect(said('version.publish', { ...publish, from: '1.4.0' })).toBe(
    'published 3.0.0 and moved production from 1.4.0',
  );
  expect(said('version.publish', { ...publish, from: null })).toBe(
    'published 3.0.0 and pointed production to it',
  );
  expect(said('version.publish', { version: '3.0.0' })).toBe('published 3.0.0');
  expect(said('call.refuse', { reason: 'expired', asked: 'greeting' })).toBe(
    'was refused in one or more calls: key expired; first asked for greeting',
  );
});

test('only what nobody has changed or read with an own key is removed as a sample', () => {
  const secret = (changes: object) => ({
    secretId: 's',
    key: 'OPENAI_API_KEY',
    number: 1,
    lastRead: null,
    ...changes,
  });
  const lastRead = (apiKeyId: string) => ({ apiKeyId, apiKeyName: apiKeyId });
  const kept = (changes: object) =>
    untouchedOf({ prompts: [], secrets: [secret(changes)] }, new Set(['first'])).secrets.length === 0;
  expect([kept({}), kept({ lastRead: lastRead('first') })]).toEqual([false, false]);
  expect([kept({ number: 2 }), kept({ key: 'OWN' }), kept({ lastRead: lastRead('production') })]).toEqual([
    true,
    true,
    true,
  ]);
});

test('the scale of a chart has at most five lines, at 1, 2 or 5 times a power of ten', () => {
  expect([0, 1, 4, 7, 18, 90, 1234].map(stepFor)).toEqual([1, 1, 1, 2, 5, 50, 500]);
});

test('a key page says of what a key may read whether it is everything, as far as that is known', () => {
  expect(reachOf('secret', { allowed: 1, total: 9 }, [])).toBe('1 of 9 secrets');
  expect(reachOf('prompt', { allowed: 200, total: 200, more: true }, [])).toBe('every prompt (at least 200)');
  expect(reachOf('prompt', { allowed: 0, total: 200, more: true }, ['a/*'])).toBe(
    'at least 0 of 200 prompts: those named a/*',
  );
});

test('the palette searches for what follows a verb, and otherwise for everything that is typed', () => {
  const typed = ['revoke ci', 'Rotate DATABASE_URL', 'rollback a greeting', 'roll back greeting'];
  expect(typed.map(askedOf)).toEqual([
    { verb: 'revoke', name: 'ci' },
    { verb: 'rotate', name: 'DATABASE_URL' },
    { verb: 'rollback', name: 'a greeting' },
    { verb: 'rollback', name: 'greeting' },
  ]);
  expect(['rotate', 'rotate-tokens', 'ci'].map(askedOf)).toEqual([
    { name: 'rotate' },
    { name: 'rotate-tokens' },
    { name: 'ci' },
  ]);
  expect([matches('Roll back a prompt', 'rollback'), matches('Roll back', 'revoke')]).toEqual([true, false]);
});

test('of several changes, a rejected one keeps no other from being made, and what is unchanged is named', async () => {
  const kind = { one: 'prompt', nameOf: (name: string) => name };
  const rejected = new ApiError('Reload it.', { status: 409, code: 'changed_meanwhile' });
  const made: string[] = [];
  const change = async (name: string) => {
    if (name === 'b') throw rejected;
    made.push(name);
  };
  const unchanged: unknown[] = [];
  const failure = changeSeveral(kind, ['a', 'b', 'c'], change, (left) => unchanged.push(left));
  await expect(failure).rejects.toThrow(/^2 of 3 prompts are done\. Unchanged and still selected: b\. /);
  expect(made).toEqual(['a', 'c']);
  await expect(changeSeveral(kind, ['b'], change, (left) => unchanged.push(left))).rejects.toBe(rejected);
  expect(unchanged).toEqual([['b'], ['b']]);
});

test('how a program confirms a call is left out of what operators read', () => {
  const read = (sentence: string) => messageOf(new ApiError(sentence, { status: 409 }));
  expect(read('It is in use. Send confirm=true to delete it anyway.')).toBe('It is in use.');
  expect(read('Only an administrator can do this, with "confirm=true".')).toBe(
    'Only an administrator can do this.',
  );
});

test.each([
  ['en-US@posix', 'en-US'],
  ['en_US.UTF-8', 'en'],
  ['en-GB', 'en-GB'],
  ['C', 'en'],
  ['', 'en'],
  ['de-DE', 'en'],
])('dates and numbers have a locale in a browser whose language is "%s"', (language, locale) => {
  expect(localeOf(language)).toBe(locale);
  expect(new Intl.NumberFormat(localeOf(language)).format(1_000)).toBe('1,000');
});

test.each([
  ['anna.schmidt1984@example-company.com', true],
  ['3f786850e387550fdaad7d7a6e0b2c1ad8e5c1aa', true],
  ['summarizeTicketV2', true],
  ['support/billing/answerCustomerEmailV2', true],
  ['classifyIntentGPT4oMini2024', true],
  ['AWS_S3_BUCKET_ACCESS_KEY_ID', true],
  ['agents/researcher/tool-use/system-prompt-v12', true],
  ['x7Gd92kQmP0aLs83Vn1ZbE', true],
  ['wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', false],
  ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', false],
  ['Zk3v9QpLm2XrT8sWb1Yc', false],
  ['sk_live_4eC39HqLyjWD', false],
  ['postgres://app:hunter2@db/app', false],
  ['-----BEGIN PRIVATE KEY-----', false],
])('whether %s is searched for: %s', (typed, isSearched) => {
  expect(searchedFor(typed)).toBe(isSearched ? typed : undefined);
});

test('an API key is searched for by its id', () => {
  expect(searchedFor(`Bearer cue_0a1b2c3d_${'x'.repeat(38)}`)).toBe('0a1b2c3d');
});

const NOON = new Date(2026, 10, 28, 12);
const hours = (count: number): Date => new Date(NOON.getTime() + count * 3_600_000);

test.each([
  [-47, '2 days ago'],
  [-25, 'yesterday'],
  [-23, '23 hr. ago'],
  [47, 'in 2 days'],
  [-0.5, '30 min. ago'],
])('%d hours from now is %s', (count, text) => {
  expect(relative(hours(count), NOON)).toBe(text);
});

test('the next rotation keeps the interval, and after an import into an overdue secret is not tomorrow', () => {
  const at = new Date('2026-11-28T10:00:00Z');
  expect(rotationAfter('2026-10-29T10:00:00Z', '2026-11-28', at)).toBe('2026-12-28');
  expect(rotationAfter('2026-11-28T09:00:00Z', '2026-11-01', at)).toBe('2027-02-26');
});

test('the successor of a key lives as long, and an expiry that the service would refuse is not offered', () => {
  const key = (days: number) => ({
    createdAt: NOON.toISOString(),
    expiresAt: hours(days * 24).toISOString(),
  });
  expect([30, 60, 365].map((days) => lifetimeOf(key(days), NOON).expiry)).toEqual(['30', '90', '365']);
  const end = expiresAt(lifetimeOf(key(730), NOON), NOON) ?? '';
  expect(Math.round((Date.parse(end) - NOON.getTime()) / 86_400_000)).toBe(730);
  const offered = (until?: string) => offeredBefore(until, NOON).map(({ value }) => value);
  expect(offered(hours(50 * 24).toISOString())).toEqual(['30', 'day']);
  expect(offered()).toEqual(['never', '30', '90', '365', 'day']);
});

test.each([
  ['https://3f2a.tokens.sts.global.api.aws', 'AWS role'],
  ['https://oidc.eks.eu-west-1.amazonaws.com/id/AB12', 'Kubernetes service account'],
  ['https://gitlab.com', 'GitLab CI/CD'],
  ['https://oidc.vercel.com/acme', 'Vercel'],
  ['https://login.example.com', 'Another issuer'],
])('a trust of %s is shown as %s', (issuer, label) => {
  expect(presetOf(issuer)?.label).toBe(label);
});

test('a period of the audit log begins and ends with days of the operator, and the last hour with a minute', () => {
  const times = (days: AuditDays) => timesOf(days, new Date(NOON.getTime() + 59_000));
  const midnight = (day: number, ms = 0) => new Date(2026, 10, day, 0, 0, 0, ms).toISOString();
  expect(times({ period: 'hour' })).toEqual({ from: hours(-1).toISOString() });
  expect(times({ period: 'today' })).toEqual({ from: midnight(28) });
  expect(times({ period: 'yesterday' })).toEqual({ from: midnight(27), to: midnight(28, -1) });
  expect(times({ period: '7' })).toEqual({ from: midnight(22) });
  expect(times({})).toEqual({ from: midnight(-1) });
  expect(times({ from: '2026-11-03', to: '2026-11-05' })).toEqual({ from: midnight(3), to: midnight(6, -1) });
  expect(times({ period: 'today', to: '2026-11-05' })).toEqual({ to: midnight(6, -1) });
});

test('the first ten names are listed, and the others counted', () => {
  const eleven = [...'abcdefghijk'];
  expect([listed(['a', 'b']), listed(['a', 'b'], 3)]).toEqual(['a, b', 'a, b and 1 more']);
  expect(listed(eleven)).toBe('a, b, c, d, e, f, g, h, i, j and 1 more');
});
