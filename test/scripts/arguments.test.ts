import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import npm from '../../package.json' with { type: 'json' };

/** The file that an npm script runs. */
const fileOf = (name: keyof typeof npm.scripts): string =>
  /node (\S+\.ts)$/.exec(npm.scripts[name])?.[1] ?? '';

const run = (...args: string[]) =>
  spawnSync(process.execPath, [fileOf('vault-key'), ...args], { encoding: 'utf8' });

test('an unknown option is refused with one sentence and the usage', () => {
  const { status, stdout, stderr } = run('--form', 'x');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^Unknown option '--form'\.\n\nUsage: npm run --silent vault-key /);
});

test('--help prints the usage', () => {
  const { status, stdout } = run('--help');
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^Usage: npm run --silent vault-key/)]);
});

test.each([
  ...(['audit:verify', 'backup', 'restore', 'vault-key'] as const),
  ...(['doctor', 'smoke', 'operator', 'who-has', 'bench'] as const),
])('npm run %s reads its arguments in the same way, with a usage of its own', (name) => {
  const source = readFileSync(fileOf(name), 'utf8');
  expect(source).toMatch(/^ *await runWithArguments\(/m);
  expect(source).toMatch(/\busage: USAGE,/);
  expect(source).toMatch(new RegExp(`^const USAGE = \`Usage: npm run (--silent )?${name}\\b`, 'm'));
});
