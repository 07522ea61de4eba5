// The Python client's tests, types, lint and format, with the tools of clients/python/.venv.
import { spawnSync } from 'node:child_process';

const RUFF = [
  '--quiet',
  '--config',
  'pyproject.toml',
  '.',
  '../../examples/python',
  '../../test/conformance/python-driver.py',
];
const COMMANDS = [
  ['pytest', '--quiet'],
  ['mypy'],
  ['ruff', 'check', ...RUFF],
  ['ruff', 'format', '--check', ...RUFF],
];

const failed = COMMANDS.filter((command) => {
  const { status } = spawnSync(process.execPath, ['scripts/python.mjs', ...command], { stdio: 'inherit' });
  return status !== 0;
});
if (failed.length > 0) {
  console.error(
    `Failed: ${failed.map(([tool, verb]) => (tool === 'ruff' ? `ruff ${verb}` : tool)).join(', ')}.`,
  );
  process.exitCode = 1;
}
