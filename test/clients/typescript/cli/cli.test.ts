import { join } from 'node:path';
import { newFolder } from '../../../support/new-folder.ts';
import { CHAT, type FakeService, startFakeService } from '../fake-service.ts';
import { environmentFor, runCli } from './processes.ts';

const SECRETS = { DATABASE_URL: 'postgres://swordfish', OTHER: 'it is $5' };

let service: FakeService;
let folder: string;

beforeEach(async () => {
  service = await startFakeService({ ...SECRETS });
  folder = newFolder();
});

afterEach(() => service.stop());

const cuevault = (args: string[]) => runCli(args, { ...environmentFor(service), XDG_CACHE_HOME: folder });

test.each([
  ['rnu', 'Did you mean "run"?'],
  ['promt', 'Did you mean "prompt"?'],
  ['pulll', 'Did you mean "pull"?'],
  ['deploy', 'See "cuevault --help".'],
])('the command %s does not exist: %s', async (given, hint) => {
  const { code, err } = await cuevault([given]);
  expect([code, err]).toEqual([2, expect.stringContaining(`There is no command "${given}". ${hint}`)]);
});

test('a secret of any name can be one of several keys', async () => {
  service.secrets = { ...SECRETS, ['__proto__']: 'v' };
  const { out } = await cuevault(['env', '--key', '__proto__', '--key', 'OTHER']);
  expect(out).toBe("__proto__=v\nOTHER='it is $5'\n");
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

test('a prompt is printed with its whole content', async () => {
  const { out } = await cuevault(['prompt', 'get', CHAT.name, '--json']);
  expect(JSON.parse(out)).toEqual({ ...CHAT, compiledPrompt: CHAT.prompt, source: 'service' });
});
