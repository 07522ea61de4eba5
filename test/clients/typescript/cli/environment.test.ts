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
  exceptions: string[];
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

test('the dangerous names are those of the shared list, and no others', () => {
  for (const entry of vectors.dangerous) {
    expect(unsetOf({ [entry.replace('*', 'X')]: 'v' })).toHaveLength(1);
    expect(unsetOf({ [entry.startsWith('*') ? `${entry}X` : `X${entry}`]: 'v' })).toHaveLength(0);
  }
  const source = readFileSync('clients/typescript/src/secrets/environment.ts', 'utf8');
  const [list, exceptions] = [...source.matchAll(/^const [A-Z]+ = ([^;]+)\.split\(' '\)/gm)].map(
    ([, text = '']) => text.match(/[A-Z*_][A-Z0-9_*]+/g),
  );
  expect(list).toEqual(vectors.dangerous);
  expect(exceptions).toEqual(vectors.exceptions);
});
