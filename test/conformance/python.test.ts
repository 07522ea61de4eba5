import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUTSIDE = ['../../examples/python', '../../test/conformance/python-driver.py'];

/** Runs a tool of the Python environment in clients/python; its output when it fails, else nothing. */
const complaints = (...command: string[]): string => {
  const done = spawnSync(process.execPath, ['scripts/python.mjs', ...command], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return done.status === 0 ? '' : `${done.stdout}${done.stderr}`;
};

describe('the Python client', () => {
  beforeAll(() => expect(complaints('python', '--version')).toBe(''), 300_000);

  test('passes its own tests', () => {
    expect(complaints('pytest', '--quiet')).toBe('');
  }, 180_000);

  test('is typed throughout', () => {
    expect(complaints('mypy')).toBe('');
  }, 180_000);

  test('is linted and formatted', () => {
    const settings = ['--config', 'pyproject.toml', '.', ...OUTSIDE];
    expect(complaints('ruff', 'check', '--quiet', ...settings)).toBe('');
    expect(complaints('ruff', 'format', '--check', '--quiet', ...settings)).toBe('');
  });
});
