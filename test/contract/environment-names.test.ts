import data from '../../contract/environment-names.json' with { type: 'json' };
import {
  isDangerousName,
  isShellName,
  needsAdministrator,
} from '../../contract/functions/environment-names.ts';
import { vectorsIn } from '../support/vectors.ts';

const vectors = vectorsIn('environment');

test('names in the data are in capitals, each once and none that another entry has', () => {
  const all = [...data.prefixes, ...data.names];
  expect(all.filter((name) => name !== name.toUpperCase())).toEqual([]);
  expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
  expect(data.names.filter((name) => data.prefixes.some((each) => name.startsWith(each)))).toEqual([]);
});

test('no ordinary name is dangerous or needs an administrator; every dangerous one is and does', () => {
  expect(vectors.ordinary).toHaveLength(200);
  expect(vectors.ordinary.filter(needsAdministrator)).toEqual([]);
  expect(vectors.dangerous.length).toBeGreaterThan(130);
  expect(vectors.dangerous.filter((name: string) => !isDangerousName(name))).toEqual([]);
});

test('names of the form that tools give to what they run need an administrator, but clients set them', () => {
  const ofTools = ['MYTOOL_OPTS', 'MYTOOL_PROXY', 'CUSTOM_WRAPPER', 'SWIFTFLAGS'];
  const names = [...ofTools, 'MY_CA_BUNDLE', 'FOO_PLUGIN_PATH'];
  expect(names.filter((name) => isDangerousName(name) || !needsAdministrator(name))).toEqual([]);
});

test('a shell name has letters, digits and underscores, and does not begin with a digit', () => {
  expect(['A', '_a1', 'DATABASE_URL'].filter((name) => !isShellName(name))).toEqual([]);
  expect(['', '1A', 'A-B', 'a.b', 'A B', 'ÉTÉ', 'A\n'].filter(isShellName)).toEqual([]);
});
