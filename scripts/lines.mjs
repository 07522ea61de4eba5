// npm run lines: counts the lines of code by room. Plain JavaScript, so that any Node.js can run it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const ROOMS = 'action admin-ui bin build clients contract lambdas lib local scripts'.split(' ');
const CODE = /\.(ts|tsx|mjs|css|py)$/;

/** Lines of code that git knows, by folder: `product` and `tests`, the latter with the tests of the Python client. */
const countRooms = () => {
  const files = execFileSync('git', ['ls-files', 'test', ...ROOMS], { encoding: 'utf8' }).split('\n');
  /** @type {Record<'product' | 'tests', Record<string, number>>} */
  const rooms = { product: {}, tests: {} };
  for (const file of files.filter((name) => CODE.test(name) && existsSync(name))) {
    const isTest = /^test\/|\/tests\//.test(file);
    const room = file
      .split('/')
      .slice(0, /^(test|clients|lambdas)\//.test(file) ? 2 : 1)
      .join('/');
    const part = rooms[isTest ? 'tests' : 'product'];
    part[room] = (part[room] ?? 0) + readFileSync(file, 'utf8').split('\n').length - 1;
  }
  return rooms;
};

/** @param {Record<string, number>} rooms */
const sum = (rooms) => Object.values(rooms).reduce((total, lines) => total + lines, 0);

for (const [part, rooms] of Object.entries(countRooms())) {
  process.stdout.write(`${part} ${sum(rooms)}\n`);
  for (const [room, lines] of Object.entries(rooms).sort(([, one], [, other]) => other - one))
    process.stdout.write(`${String(lines).padStart(8)}  ${room}\n`);
}
