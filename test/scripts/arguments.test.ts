import { readFileSync } from 'node:fs';
import npm from '../../package.json' with { type: 'json' };
import { runHere } from '../support/processes/process.ts';

/** The file that an npm script runs. */
const fileOf = (name: keyof typeof npm.scripts): string =>
  /node (\S+\.ts)$/.exec(npm.scripts[name])?.[1] ?? '';

test.each([
  [['--form', 'x'], 1, /^Unknown option '--form'\.\n\nUsage: npm run --silent vault-key /],
  [['--help'], 0, /^Usage: npm run --silent vault-key/],
])('%j is answered with the usage', async (args, status, text) => {
  expect(await runHere(fileOf('vault-key'), ...args)).toEqual({
    status,
    output: expect.stringMatching(text),
  });
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
