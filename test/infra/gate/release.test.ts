import { readFileSync } from 'node:fs';
import type { Resource } from '../stack.ts';
import { allResources, fullStack } from './full.ts';
import { compare, freeze, type Release } from './release.ts';

const RELEASE = JSON.parse(readFileSync(new URL('release.json', import.meta.url), 'utf8')) as Release;
const Resources = allResources(fullStack());

type Resources = Readonly<Record<string, Resource>>;

const change = (id: string, changes: (resource: Resource) => Resource): Resources => {
  const resource = Resources[id];
  if (resource === undefined) throw new Error(`The template has no resource "${id}".`);
  return { ...Resources, [id]: changes(resource) };
};

const rename = (id: string, to: string): Resources => {
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

describe('the gate finds', () => {
  test.each(['Table', 'VaultKey', 'Operators'])('a new logical id of %s', (id) => {
    const faults = compare(RELEASE, rename(id, 'Renamed'));
    expect(faults).toEqual([expect.stringContaining(`${id}: `)]);
    expect(faults[0]).toContain('its data would be left behind');
  });

  test('a new logical id of a resource with a name', () => {
    const [id = ''] = Object.entries(RELEASE).find(([, { type }]) => type === 'AWS::CloudWatch::Alarm') ?? [];
    expect(compare(RELEASE, rename(id, 'Renamed'))).toEqual([
      expect.stringContaining('its predecessor still exists when it is created'),
    ]);
  });

  test('a new logical id of a route', () => {
    expect(compare(RELEASE, rename('RoutePostApiPromptGetCompiled', 'Renamed'))).toEqual([
      expect.stringContaining('has the new logical id Renamed: it conflicts with its predecessor'),
    ]);
  });

  test.each(['Routes', 'Monitoring'])('a new logical id of the nested stack %s', (id) => {
    expect(compare(RELEASE, rename(id, 'Renamed'))).toEqual([
      expect.stringContaining('its resources would be created a second time'),
    ]);
  });

  test('another function for a custom resource, and a new logical id of one', () => {
    const [id = ''] = Object.entries(RELEASE).find(([, { type }]) => type === 'Custom::CuevaultVault') ?? [];
    expect(compare(RELEASE, change(id, withProperty('ServiceToken', 'another')))).toEqual([
      expect.stringContaining('changes ServiceToken, which CloudFormation refuses'),
    ]);
    expect(compare(RELEASE, rename(id, 'Renamed'))).toEqual([
      expect.stringContaining('its function is told to delete what it made'),
    ]);
  });

  test('a removed route', () => {
    const changed = change(
      'RoutePostApiPromptGetCompiled',
      withProperty('RouteKey', 'POST /api/prompt/fetch'),
    );
    expect(compare(RELEASE, changed)).toEqual([
      expect.stringContaining('the route POST /api/prompt/get-compiled is gone'),
    ]);
  });

  test.each([
    ['Table', 'KeySchema', []],
    ['Table', 'TableName', 'mine'],
    ['VaultKey', 'KeySpec', 'RSA_2048'],
    ['Operators', 'UsernameAttributes', ['phone_number']],
  ])('a change of %s that replaces it: %s', (id, name, value) => {
    expect(compare(RELEASE, change(id, withProperty(name, value)))).toEqual([
      expect.stringContaining(`changes ${name}, which replaces the resource`),
    ]);
  });

  test('a resource that no longer outlives the stack', () => {
    const changed = change('Table', (table) => ({ ...table, DeletionPolicy: 'Delete' }));
    expect(compare(RELEASE, changed)).toEqual([expect.stringContaining('no longer outlives the stack')]);
  });
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
