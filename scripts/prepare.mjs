// Installs the dependencies when package.json or the lock changed since the last time.
// Plain JavaScript without dependencies: it runs on whatever Node the system has, before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const stamp = 'node_modules/.cuevault-prepared';
const hash = createHash('sha256');
for (const file of ['package.json', 'package-lock.json']) hash.update(readFileSync(file));
const wanted = hash.digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.error('Installing dependencies (once; about a minute)...');
  const npm = process.env.npm_execpath;
  if (!npm) {
    console.error('Run this through npm: npm start, npm test, npm run synth.');
    process.exit(1);
  }
  // "npm ci" would refuse the lock: the optional binaries of other platforms are not in it.
  const installed = spawnSync(
    process.execPath,
    [npm, 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if (installed.status !== 0) {
    console.error('The dependencies could not be installed; the lines above say why.');
    process.exit(installed.status ?? 1);
  }
  writeFileSync(stamp, wanted);
}
