import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../../../../clients/typescript/src/cli/main.ts';
import { API_KEY, type FakeService, startFakeService } from '../fake-service.ts';

const SECRETS = { DATABASE_URL: 'postgres://swordfish', OTHER: 'it is $5' };

let service: FakeService;
let folder: string;

beforeEach(async () => {
  service = await startFakeService({ ...SECRETS });
  folder = mkdtempSync(join(tmpdir(), 'cuevault-cli-'));
  Object.assign(process.env, {
    CUEVAULT_URL: service.url,
    CUEVAULT_API_KEY: API_KEY,
    XDG_CACHE_HOME: folder,
  });
});

afterEach(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const cuevault = async (args: string[], isTTY = false) => {
  const output = { out: '', err: '' };
  const code = await main(args, {
    out: (text) => {
      output.out += text;
    },
    err: (text) => {
      output.err += text;
    },
    isTTY,
  });
  return { code, ...output };
};

test('env prints all secrets as dotenv by default', async () => {
  expect(await cuevault(['env'])).toEqual({
    code: 0,
    out: "DATABASE_URL=postgres://swordfish\nOTHER='it is $5'\n",
    err: '',
  });
  expect(JSON.parse((await cuevault(['env', '--format', 'json'])).out)).toEqual(SECRETS);
  expect((await cuevault(['env', '--format=shell'])).out).toContain("export OTHER='it is $5'\n");
});

test('env prints no values to a terminal without --reveal, and does not fetch them', async () => {
  const shown = await cuevault(['env'], true);
  expect(shown).toEqual({ code: 2, out: '', err: expect.stringContaining('--reveal') });
  expect(service.calls).toHaveLength(0);
  expect((await cuevault(['env', '--reveal'], true)).out).toContain('swordfish');
});

test('the filter is sent, and the prefix is added to every name', async () => {
  await cuevault(['env', '--tags', 'a, b']);
  expect(service.calls.at(-1)?.body).toEqual({ tags: ['a', 'b'] });
  const { out } = await cuevault(['env', '--key', 'OTHER', '--prefix', 'APP_']);
  expect(service.calls.at(-1)?.body).toEqual({ key: 'OTHER' });
  expect(out).toBe("APP_OTHER='it is $5'\n");
});

test('prompt get prints the template, or the compiled text, byte for byte', async () => {
  expect((await cuevault(['prompt', 'get', 'greeting'])).out).toBe('Hello {{user}}!');
  expect((await cuevault(['prompt', 'get', 'greeting', '--var', 'user=A=B'])).out).toBe('Hello A=B!');
  expect((await cuevault(['prompt', 'get', 'greeting'], true)).out).toBe('Hello {{user}}!\n');
  await cuevault(['prompt', 'get', 'greeting', '--version', '1.2.3']);
  expect(service.calls.at(-1)?.body).toEqual({ name: 'greeting', version: '1.2.3' });
});

test('prompt get --strict fails if a placeholder has no value', async () => {
  const failed = await cuevault(['prompt', 'get', 'greeting', '--strict']);
  const err = 'cuevault: The prompt needs a value for "user": add --var NAME=VALUE, or leave out --strict.\n';
  expect(failed).toEqual({ code: 1, out: '', err });
});

test.each([
  [['--help']],
  [['run', '--help']],
  [['env', '-h']],
  [['prompt', '--help']],
  [['completion', '--help']],
])('%j helps and ends with 0', async (args) => {
  const { code, out, err } = await cuevault(args);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^cuevault/);
  expect(out.split('\n').filter((line) => line.length > 120)).toEqual([]);
});

test.each([
  [[]],
  [['walk']],
  [['constructor']],
  [['run']],
  [['run', '--']],
  [['run', 'node']],
  [['run', '--nonsense', '--', 'true']],
  [['run', '--watch-interval', '0', '--', 'true']],
  [['run', '--watch-interval', 'Infinity', '--', 'true']],
  [['run', '--watch-interval', 'often', '--', 'true']],
  [['run', '--offline-max-age', '0', '--', 'true']],
  [['env', '--offline-max-age', '-1']],
  [['env', '--offline-max-age', '']],
  [['env', '--format', 'xml']],
  [['env', 'more']],
  [['env', '--tags', '']],
  [['env', '--tags', ',']],
  [['env', '--tags', 'a, ,b']],
  [['env', '--tags', 'a,']],
  [['run', '--tags=', '--', 'true']],
  [['env', '--key', '']],
  [['env', '--offline-ok', '--offline-dir', '']],
  [['prompt', 'get']],
  [['prompt', 'put', 'x']],
  [['prompt', 'get', 'x', '--var', 'novalue']],
])('%j is wrong usage: one line on standard error and exit code 2', async (args) => {
  expect(await cuevault(args)).toEqual({ code: 2, out: '', err: expect.stringMatching(/^cuevault: .+\n/) });
  expect(service.calls).toHaveLength(0);
});

test('a rejected API key exits with 3, a missing one with 2', async () => {
  process.env.CUEVAULT_API_KEY = 'cue_wrong';
  expect(await cuevault(['env'])).toEqual({
    code: 3,
    out: '',
    err: 'cuevault: The API key was rejected: it is unknown, expired or revoked.\n',
  });
  delete process.env.CUEVAULT_API_KEY;
  expect(await cuevault(['env'])).toEqual({
    code: 2,
    out: '',
    err: expect.stringContaining('CUEVAULT_API_KEY'),
  });
});

test('an unreachable service exits with 5', async () => {
  await service.stop();
  expect(await cuevault(['env'])).toEqual({
    code: 5,
    out: '',
    err: expect.stringMatching(/^cuevault: .+\n$/),
  });
});

test('a value that the format cannot express exits with 6 and prints nothing', async () => {
  service.secrets = { A: 'fine', B: 'a\r\nb' };
  expect(await cuevault(['env'])).toEqual({ code: 6, out: '', err: expect.stringContaining('"B"') });
});

test('--offline-ok, and only that, uses the copy of an earlier call and reports its age', async () => {
  const { out } = await cuevault(['env', '--offline-ok']);
  await service.stop();
  const offline = await cuevault(['env', '--offline-ok']);
  expect(offline).toEqual({
    code: 0,
    out,
    err: expect.stringMatching(/offline copy is used; it is 0\.0 h old/),
  });
  expect((await cuevault(['env'])).code).toBe(5);
  expect((await cuevault(['env', '--offline-ok', '--offline-dir', join(folder, 'other')])).code).toBe(5);
});
