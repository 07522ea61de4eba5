import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { unsetOf } from '../../../../clients/typescript/src/secrets/environment.ts';

interface Case {
  readonly title: string;
  readonly secrets: Record<string, string>;
  readonly notSet: readonly string[];
  readonly platform?: 'windows' | 'posix';
  readonly allow?: readonly string[];
}

const vectors = JSON.parse(readFileSync('test/vectors/environment.json', 'utf8')) as {
  dangerous: string[];
  ordinary: string[];
  cases: Case[];
};

const namesNotSet = ({ secrets, platform, allow }: Case): string[] =>
  unsetOf(secrets, { allow, windows: platform === 'windows' }).map(({ name }) => name);

test.each(vectors.cases)('set as every client does: $title', (each) => {
  expect(namesNotSet(each)).toEqual(each.notSet);
});

test('the secrets arrive in the environment, except those that are not set', () => {
  const program = `
    import { setEnvironment } from './clients/typescript/src/secrets/environment.ts';
    const results = JSON.parse(process.argv[1]).map(({ secrets, allow }) => {
      const before = { ...process.env };
      const notSet = setEnvironment(secrets, { allow, windows: false });
      const arrived = Object.entries(secrets).filter(([name, value]) => process.env[name] === value);
      for (const name of Object.keys(secrets)) delete process.env[name];
      Object.assign(process.env, before);
      return [notSet, arrived.map(([name]) => name)];
    });
    console.log(JSON.stringify(results));
  `;
  const cases = vectors.cases.filter(({ platform }) => platform !== 'windows');
  const args = ['--input-type=module', '--eval', program, JSON.stringify(cases)];
  const results = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  for (const [index, { secrets, notSet }] of cases.entries()) {
    expect(results[index]).toEqual([notSet, Object.keys(secrets).filter((name) => !notSet.includes(name))]);
  }
});

const asSecrets = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'v']));

test('every ordinary name is set, and no dangerous one', () => {
  expect(unsetOf(asSecrets(vectors.ordinary), { windows: true })).toEqual([]);
  const unset = unsetOf(asSecrets(vectors.dangerous), { windows: false });
  expect(unset.map(({ name }) => name)).toEqual(vectors.dangerous);
});
