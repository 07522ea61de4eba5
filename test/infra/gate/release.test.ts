import { readFileSync } from 'node:fs';
import type { Resource } from '../stack.ts';
import { allResources, fullStack } from './full.ts';
import { compare, freeze, type Release, type Template } from './release.ts';

const RELEASE = JSON.parse(readFileSync(new URL('release.json', import.meta.url), 'utf8')) as Release;
const Resources = allResources(fullStack());

const change = (id: string, changes: (resource: Resource) => Resource): Template => {
  const resource = Resources[id];
  if (resource === undefined) throw new Error(`The template has no resource "${id}".`);
  return { ...Resources, [id]: changes(resource) };
};

const rename = (id: string, to: string): Template => {
  const { [id]: renamed, ...others } = Resources;
  if (renamed === undefined) throw new Error(`The template has no resource "${id}".`);
  return { ...others, [to]: renamed };
};

const withProperty =
  (name: string, value: unknown) =>
  (resource: Resource): Resource => ({ ...resource, Properties: { ...resource.Properties, [name]: value } });

test('this template can be deployed over the last release; if a change is meant, run npm run freeze-template', () => {
  expect(Object.keys(RELEASE)).toEqual(expect.arrayContaining(['Table', 'VaultKey', 'Operators']));
  expect(compare(RELEASE, Resources)).toEqual([]);
});

const of = (wanted: string): string =>
  Object.entries(RELEASE).find(([, { type }]) => type === wanted)?.[0] ?? '';
const ALARM = of('AWS::CloudWatch::Alarm');
const VAULT = of('Custom::CuevaultVault');
const ROUTE = 'RoutePostApiPromptGetCompiled';
const unkept = (table: Resource): Resource => ({ ...table, DeletionPolicy: 'Delete' });
const LEFT = /^(Table|VaultKey|Operators): .*its data would be left behind/;

test.each<[string, Template, string | RegExp]>([
  ...['Table', 'VaultKey', 'Operators'].map((id): [string, Template, RegExp] => [
    `a new logical id of ${id}`,
    rename(id, 'Renamed'),
    LEFT,
  ]),
  [
    'one of a resource with a name',
    rename(ALARM, 'Renamed'),
    'its predecessor still exists when it is created',
  ],
  ['one of a route', rename(ROUTE, 'Renamed'), 'has the new logical id Renamed: it conflicts'],
  ...['Routes', 'Monitoring'].map((id): [string, Template, string] => [
    `one of the nested stack ${id}`,
    rename(id, 'Renamed'),
    'its resources would be created a second time',
  ]),
  ['one of a custom resource', rename(VAULT, 'Renamed'), 'its function is told to delete what it made'],
  [
    'another function for it',
    change(VAULT, withProperty('ServiceToken', 'another')),
    'changes ServiceToken, which CloudFormation refuses',
  ],
  [
    'a removed route',
    change(ROUTE, withProperty('RouteKey', 'POST /api/prompt/fetch')),
    'the route POST /api/prompt/get-compiled is gone',
  ],
  ...(
    [
      ['Table', 'KeySchema', []],
      ['Table', 'TableName', 'mine'],
      ['VaultKey', 'KeySpec', 'RSA_2048'],
      ['Operators', 'UsernameAttributes', ['phone_number']],
    ] as const
  ).map(([id, name, value]): [string, Template, string] => [
    `a change of ${id} that replaces it: ${name}`,
    change(id, withProperty(name, value)),
    `changes ${name}, which replaces the resource`,
  ]),
  ['a resource that no longer outlives the stack', change('Table', unkept), 'no longer outlives the stack'],
])('the gate finds %s', (_, changed, sentence) => {
  expect(compare(RELEASE, changed)).toEqual([
    typeof sentence === 'string' ? expect.stringContaining(sentence) : expect.stringMatching(sentence),
  ]);
});

test('the gate accepts additions, other settings, and another name of a path parameter', () => {
  const changed = {
    ...change('RouteGetApiAdminPromptsAny', withProperty('RouteKey', 'GET /api/admin/prompts/{id}')),
    Addition: { Type: 'AWS::SNS::Topic', Properties: { TopicName: 'new' } },
  };
  expect(compare(RELEASE, changed)).toEqual([]);
});

test('retained and named resources, and routes, are frozen', () => {
  const schemaOf = () => ({ createOnly: ['Name'], identifier: ['Name'] });
  const frozen = freeze(
    {
      Kept: { Type: 'A', DeletionPolicy: 'Retain', Properties: {} },
      Named: { Type: 'B', Properties: { Name: 'b' } },
      Other: { Type: 'C', Properties: { Size: 1 } },
    },
    schemaOf,
  );
  expect(frozen).toEqual({
    Kept: { type: 'A', retained: true, createOnly: { Name: null } },
    Named: { type: 'B', retained: false, createOnly: { Name: 'b' } },
  });
});
