// Installs the dependencies when package.json or the lock changed since the last time; with --start, those without which
// `npm start` and packing the client would not work, a third of all.
// Plain JavaScript without dependencies: it runs on the system's Node, before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

const NODE = 24;
const stamp = 'node_modules/.cuevault-prepared';
const isStart = process.argv.includes('--start');

const fail = (message, status = 1) => {
  console.error(message);
  process.exit(status);
};

// What runs this may be the Node that was installed here.
const [, system = process.versions.node] =
  /node\/v([\d.]+)/.exec(process.env.npm_config_user_agent ?? '') ?? [];
// The workspace in scripts/node is Node for Linux, first on the PATH of every npm script.
const isOld = Number.parseInt(system, 10) < NODE;

const hashed = createHash('sha256');
for (const file of ['package.json', 'package-lock.json']) hashed.update(readFileSync(file));
const wanted = [hashed.digest('hex'), ...(isOld ? ['with Node'] : []), ...(isStart ? ['to start'] : [])];
const found = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
const [hash] = wanted;
// More than is needed is enough: the next command may need it, and may run on another Node.
const isEnough =
  found.startsWith(hash) &&
  (isStart || !found.endsWith('to start')) &&
  (!isOld || found.includes('with Node'));

const OPTIONS = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** Nobody waits for an installation to learn this. What is wrong with another port, the start says. */
const tryPort = async () => {
  const port = Number(process.env.PORT || 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return;
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    if (error.code === 'EADDRINUSE')
      fail(`Port ${port} is taken. Stop what listens there, or choose another: PORT=3001 npm start.`);
  }
  server.close();
};

const install = () => {
  console.error(
    `Installing ${isStart ? 'what npm start needs' : 'all dependencies'} (once; about a minute)...`,
  );
  const begun = Date.now();
  const npm = process.env.npm_execpath;
  if (!npm) fail('Run this through npm: npm start, npm test, npm run synth.');
  // "npm ci" would reject the lock because it lacks the optional binaries of other platforms. Install scripts are off:
  // what they download has no integrity hash in the lock, and none of the binaries needs one.
  const parts = [...(isStart ? ['--omit=dev'] : []), ...(isOld ? [] : ['--workspaces=false'])];
  const { status, stdout } = spawnSync(process.execPath, [npm, 'install', ...OPTIONS, ...parts], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) fail('The dependencies could not be installed. See the output above.', status ?? 1);
  if (isOld && !existsSync('node_modules/.bin/node'))
    fail(
      `This platform requires Node ${NODE} or later, but this is ${system}. Install it from https://nodejs.org, or with nvm: nvm install ${NODE}`,
    );
  writeFileSync(stamp, wanted.join(' '));
  const [, added = '0'] = /added (\d+) packages?/.exec(stdout) ?? [];
  console.error(`Installed ${added} packages in ${Math.round((Date.now() - begun) / 1000)} s.`);
};

if (isStart && !process.argv.includes('--help')) await tryPort();
if (!isEnough) install();
