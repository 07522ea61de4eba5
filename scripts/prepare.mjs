// Installs the dependencies when package.json or the lock changed since the last time; with --start, those without which
// `npm start` would not work, a third of all.
// Plain JavaScript without dependencies: it runs on the system's Node, before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const NODE = 24;
const stamp = 'node_modules/.cuevault-prepared';
const isStart = process.argv.includes('--start');
const hash = createHash('sha256');
for (const file of ['package.json', 'package-lock.json']) hash.update(readFileSync(file));
const all = hash.digest('hex');
const wanted = isStart ? `${all} to start` : all;
const found = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';

const OPTIONS = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

if (found !== wanted && found !== all) {
  console.error(
    `Installing ${isStart ? 'what npm start needs' : 'all dependencies'} (once; about a minute)...`,
  );
  const begun = Date.now();
  const npm = process.env.npm_execpath;
  if (!npm) {
    console.error('Run this through npm: npm start, npm test, npm run synth.');
    process.exit(1);
  }
  // "npm ci" would reject the lock because it lacks the optional binaries of other platforms. Install scripts are off:
  // what they download has no integrity hash in the lock, and none of the binaries needs one.
  const installed = spawnSync(
    process.execPath,
    [npm, 'install', ...OPTIONS, ...(isStart ? ['--omit=dev'] : [])],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (installed.status !== 0) {
    console.error('The dependencies could not be installed. See the output above.');
    process.exit(installed.status ?? 1);
  }
  // Node for Linux is among the dependencies, and first on the PATH of every npm script.
  if (!existsSync('node_modules/.bin/node') && Number.parseInt(process.versions.node, 10) < NODE) {
    console.error(
      `This platform requires Node ${NODE} or later, but this is ${process.versions.node}. Install a newer version.`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
  console.error(`Installed in ${Math.round((Date.now() - begun) / 1000)} s.`);
}
