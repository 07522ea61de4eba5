import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { getSecrets } from '../../../../clients/typescript/src/index.ts';
import {
  checkEnvironment,
  offendersOf,
  setEnvironment,
} from '../../../../clients/typescript/src/secrets/environment.ts';
import { API_KEY } from '../fake-service.ts';

interface Case {
  readonly title: string;
  readonly secrets: Record<string, string>;
  readonly offenders?: readonly string[];
  readonly platform?: 'windows' | 'posix';
  readonly allowDangerousNames?: boolean;
}

const vectors = JSON.parse(readFileSync('test/vectors/environment.json', 'utf8')) as {
  dangerous: string[];
  invalidCases: Case[];
  validCases: Case[];
};

const rulesOf = ({ platform, allowDangerousNames }: Case) => ({
  allowDangerousNames,
  windows: platform === 'windows',
});

const withoutTestNames = (names: readonly string[]) => {
  for (const name of names) delete process.env[name];
};

test.each(vectors.invalidCases)('rejected: $title', (invalid) => {
  const { secrets, offenders = [] } = invalid;
  expect(offendersOf(secrets, rulesOf(invalid)).map(({ name }) => name)).toEqual(offenders);
  const before = { ...process.env };
  expect(() => setEnvironment(secrets, rulesOf(invalid))).toThrow(/cannot be environment variables/);
  expect({ ...process.env }).toEqual(before);
});

test.each(vectors.validCases)('accepted: $title', (valid) => {
  expect(offendersOf(valid.secrets, rulesOf(valid))).toEqual([]);
});

test('accepted secrets are set, whatever their names', () => {
  const program = `
    import { setEnvironment } from './clients/typescript/src/secrets/environment.ts';
    const cases = JSON.parse(process.argv[1]);
    for (const { secrets } of cases) setEnvironment(secrets, { allowDangerousNames: true, windows: false });
    const names = cases.flatMap(({ secrets }) => Object.keys(secrets));
    console.log(JSON.stringify(names.map((name) => [name, process.env[name]])));
  `;
  const args = ['--input-type=module', '--eval', program, JSON.stringify(vectors.validCases)];
  const pairs = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  expect(pairs).toEqual(vectors.validCases.flatMap(({ secrets }) => Object.entries(secrets)));
});

test('the dangerous names are those of the shared list, and no others', () => {
  for (const entry of vectors.dangerous) {
    const name = entry.replace('*', 'X');
    expect(offendersOf({ [name]: 'v' })).toHaveLength(1);
    expect(offendersOf({ [`X${name}`]: 'v' })).toHaveLength(0);
  }
  const source = readFileSync('clients/typescript/src/secrets/environment.ts', 'utf8');
  const list = source.slice(source.indexOf('const DANGEROUS'), source.indexOf(".split(' ')"));
  expect(list.match(/[A-Z_][A-Z0-9_*]{1,}/g)?.slice(1)).toEqual(vectors.dangerous);
});

test('the error names every rejected secret with the reason, and no value', () => {
  const check = () => checkEnvironment({ 'A=B': 'swordfish', PATH: 'swordfish', C: 'sword\0fish' });
  expect(check).toThrow(/"A=B" \(.*"PATH" \(.*"C" \(/);
  expect(check).toThrow(expect.objectContaining({ message: expect.not.stringContaining('fish') }));
});

test('getSecrets with shouldSetEnv sets all or none, and says why in err', async () => {
  const answer = async (secrets: object) => Response.json({ err: null, res: secrets });
  const call = (secrets: object, allowDangerousNames?: boolean) =>
    getSecrets({ apiKey: API_KEY, shouldSetEnv: true, allowDangerousNames, fetch: () => answer(secrets) });
  const secrets = { CUEVAULT_TEST_ONE: 'v', LUA_INIT: 'w' };
  expect(await call(secrets)).toEqual({ err: expect.stringContaining('"LUA_INIT"'), res: null });
  expect(process.env.CUEVAULT_TEST_ONE).toBeUndefined();
  expect(await call(secrets, true)).toEqual({ err: null, res: secrets });
  expect([process.env.CUEVAULT_TEST_ONE, process.env.LUA_INIT]).toEqual(['v', 'w']);
  withoutTestNames(Object.keys(secrets));
});
