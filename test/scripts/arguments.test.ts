import { spawnSync } from 'node:child_process';
import npm from '../../package.json' with { type: 'json' };

/** Runs the file that an npm script runs. */
const run = (name: keyof typeof npm.scripts, ...args: string[]) => {
  const [, file = ''] = /node (\S+\.ts)$/.exec(npm.scripts[name]) ?? [];
  return spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' });
};

test.each([
  ...(['audit:verify', 'backup', 'restore', 'vault-key'] as const),
  ...(['doctor', 'smoke', 'operator', 'who-has', 'bench'] as const),
])('npm run %s refuses an unknown option with one sentence and the usage', (name) => {
  const { status, stdout, stderr } = run(name, '--form', 'x');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(
    new RegExp(`^Unknown option '--form'\\.\\n\\nUsage: npm run (--silent )?${name}\\b`),
  );
});

test('--help prints the usage', () => {
  const { status, stdout } = run('vault-key', '--help');
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^Usage: npm run --silent vault-key/)]);
});
