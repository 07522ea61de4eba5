// Creates clients/python/.venv with the pinned tools if the pins, the package's settings or the Python version changed
// since the last run; generates the blocking client; then runs the given command in clients/python with that environment
// first on the PATH.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../clients/python', import.meta.url));
const venv = join(folder, '.venv');
const bin = join(venv, process.platform === 'win32' ? 'Scripts' : 'bin');
const stamp = join(venv, '.cuevault-prepared');
const python = process.env.PYTHON ?? (process.platform === 'win32' ? 'python' : 'python3');
const TRIES = 3;

const fail = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

const run = (command, ...args) =>
  spawnSync(command, args, { cwd: folder, stdio: ['ignore', 2, 2] }).status === 0;

const pip = (...args) => {
  const whole = ['-m', 'pip', 'install', '--no-compile', '--quiet', '--disable-pip-version-check', ...args];
  for (let tries = 1; tries <= TRIES; tries++) if (run(join(bin, 'python'), ...whole)) return;
  fail('The Python packages could not be installed. See the output above.');
};

const asked = spawnSync(python, [
  '-c',
  'import sys; print(sys.version); sys.exit(sys.version_info < (3, 10))',
]);
if (asked.status !== 0)
  fail(`Python 3.10 or later is required, but "${python}" is not. Set PYTHON to the path of one.`);
const hash = createHash('sha256').update(asked.stdout);
for (const file of ['requirements-dev.txt', 'pyproject.toml']) hash.update(readFileSync(join(folder, file)));
const wanted = hash.digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.error('Installing the Python tools (once; about half a minute)...');
  rmSync(venv, { recursive: true, force: true });
  if (!run(python, '-m', 'venv', venv)) fail('The Python environment could not be created.');
  // That of Python 3.11 takes twice the time.
  pip('pip==25.3');
  pip('--requirement', 'requirements-dev.txt');
  pip('--no-build-isolation', '--no-deps', '--editable', '.');
  writeFileSync(stamp, wanted);
}

if (!run(join(bin, 'python'), 'hatch_build.py')) fail('The blocking client could not be generated.');

const [command, ...args] = process.argv.slice(2);
if (command !== undefined) {
  const env = { ...process.env, VIRTUAL_ENV: venv, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
  const done = spawnSync(command, args, { cwd: folder, stdio: 'inherit', env });
  if (done.error !== undefined) fail(`${command} cannot be started: ${done.error.message}`);
  process.exit(done.status ?? 1);
}
