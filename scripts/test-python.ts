// The Python client's tests, types, lint and format, with the tools of clients/python/.venv. With CI set, tests that fail
// run again, up to twice; a line that begins with "flaky: " names each one that passes then.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { RERUNS } from './flaky.ts';

const RUFF = [
  '--quiet',
  '--config',
  'pyproject.toml',
  '.',
  '../../examples/python',
  '../../test/conformance/python-driver.py',
  '../../test/conformance/python_fields.py',
];
const COMMANDS = [['mypy'], ['ruff', 'check', ...RUFF], ['ruff', 'format', '--check', ...RUFF]];

const LAST_FAILED = 'clients/python/.pytest_cache/v/cache/lastfailed';
// What pytest's exit code says if it ran all tests and some failed.
const TESTS_FAILED = 1;

const run = (command: readonly string[]): number | null =>
  spawnSync(process.execPath, ['scripts/python.mjs', ...command], { stdio: 'inherit' }).status;

const lastFailed = (): readonly string[] =>
  existsSync(LAST_FAILED) ? Object.keys(JSON.parse(readFileSync(LAST_FAILED, 'utf8'))) : [];

const testsPass = (): boolean => {
  let status = run(['pytest', '--quiet', '--cache-clear']);
  for (let again = 1; again <= RERUNS && status === TESTS_FAILED; again += 1) {
    const before = lastFailed();
    status = run(['pytest', '--quiet', '--last-failed', '--last-failed-no-failures', 'none']);
    const after = lastFailed();
    for (const test of before) if (!after.includes(test)) console.log(`flaky: ${test}`);
  }
  return status === 0;
};

const passed = testsPass();
const failed = [...(passed ? [] : [['pytest']]), ...COMMANDS.filter((command) => run(command) !== 0)];
if (failed.length > 0) {
  console.error(
    `Failed: ${failed.map(([tool, verb]) => (tool === 'ruff' ? `ruff ${verb}` : tool)).join(', ')}.`,
  );
  process.exitCode = 1;
}
