import { spawnSync } from 'node:child_process';
import npm from '../../package.json' with { type: 'json' };
import { runHere } from '../support/processes/process.ts';

// It runs only as a program.
const APART = 'audit:verify';

/** Runs the file that an npm script runs. */
const run = async (name: keyof typeof npm.scripts, ...args: string[]) => {
  const [, file = ''] = /node (\S+\.ts)$/.exec(npm.scripts[name]) ?? [];
  if (name !== APART) return runHere(file, args);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
};

test.each([
  ...(['audit:verify', 'backup', 'restore', 'vault-key'] as const),
  ...(['doctor', 'smoke', 'operator', 'who-has'] as const),
])('npm run %s refuses an unknown option with one sentence and the usage', async (name) => {
  expect(await run(name, '--form', 'x')).toEqual({
    status: 1,
    out: '',
    err: expect.stringMatching(
      new RegExp(`^Unknown option '--form'\\.\\n\\nUsage: npm run (--silent )?${name}\\b`),
    ),
  });
});

test('--help prints the usage', async () => {
  expect(await run('vault-key', '--help')).toEqual({
    status: 0,
    out: expect.stringMatching(/^Usage: npm run --silent vault-key/),
    err: '',
  });
});
