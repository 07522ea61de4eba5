import { readFileSync } from 'node:fs';
import { errorsOf, openApi } from '../../contract/documentation/openapi.ts';
import { examplesOf } from '../../contract/documentation/samples.ts';
import { documentationOf } from '../../contract/documentation.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { ERROR_STATUS } from '../../contract/http/errors.ts';
import type { Json } from '../support/vectors.ts';

test('docs/openapi.json matches the contract: run "npm run openapi" after a change', () => {
  expect(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(openApi(ENDPOINTS))),
  );
});

const EXAMPLES = ENDPOINTS.flatMap((endpoint) => {
  const { reply } = documentationOf(endpoint);
  return examplesOf(endpoint).map((example) => ({ endpoint, reply, example }));
});

test.each(EXAMPLES)(
  'the example "$example.summary" of $endpoint.id satisfies the schemas it illustrates',
  ({ endpoint, reply, example }) => {
    const { params = {}, query = {}, body = {} } = example;
    expect(endpoint.params.safeParse(params).success).toBe(true);
    expect(endpoint.query.safeParse(query).success).toBe(true);
    expect(endpoint.body.safeParse(body).success).toBe(true);
    expect(reply.safeParse(example.res).success).toBe(true);
  },
);

test('docs/errors.md has one row for each error code, with its status, and no other', () => {
  const rows = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `([a-z_]+)` +\| (\d{3}) +\|/gm)];
  expect(Object.fromEntries(rows.map(([, code, status]) => [code, Number(status)]))).toEqual(ERROR_STATUS);
});

test('docs/errors.md advises `confirm=true` for endpoints that take it, and names those that do not', () => {
  const rows = readFileSync('docs/errors.md', 'utf8').split('\n');
  for (const row of rows.filter((each) => each.includes('`confirm=true`'))) {
    const code = /^\| `(\w+)`/.exec(row)?.[1];
    const others = ENDPOINTS.filter(
      ({ errors, query }) =>
        errors.some((each) => each === code) && !query.safeParse({ confirm: 'true' }).success,
    );
    expect(others.map(({ id }) => id).filter((id) => !row.includes(`\`${id}\`: `))).toEqual([]);
  }
});

test('no endpoint names an error twice', () => {
  for (const endpoint of ENDPOINTS) {
    expect(errorsOf(endpoint)).toHaveLength(new Set(errorsOf(endpoint)).size);
  }
});

const { paths, components, tags } = openApi(ENDPOINTS) as Json;
const operations: Json[] = Object.values<Json>(paths).flatMap((methods) => Object.values(methods));

test('429 comes from the gateway, without the envelope and without headers of ours, but for the rate of a key and questions who has a value', () => {
  const { headers, content } = components.responses.GatewayTooManyRequests;
  expect(headers).toBeUndefined();
  expect(content['application/json'].schema).toEqual({
    type: 'object',
    properties: { message: { type: 'string' } },
  });
  const publishing = ['prompt-list', 'prompt-source', 'prompt-publish', 'prompt-move-labels'];
  const own = new Set([...publishing, 'prompts-try', 'vault-who-has']);
  for (const { operationId, responses } of operations) {
    const name = own.has(operationId) ? 'RateLimited' : 'GatewayTooManyRequests';
    expect(responses[429]).toEqual({ $ref: `#/components/responses/${name}` });
  }
});

test('every shared response exists, and is used', () => {
  const used = operations.flatMap(({ responses }) =>
    Object.values<Json>(responses).flatMap(({ $ref }) => $ref ?? []),
  );
  const names = Object.keys(components.responses).map((name) => `#/components/responses/${name}`);
  expect(new Set(used)).toEqual(new Set(names));
});

const takesNull = ({ type = [], enum: values, anyOf }: Json): boolean =>
  anyOf === undefined
    ? [type].flat().includes('null') && (values === undefined || values.includes(null))
    : anyOf.some(takesNull);

test('get-compiled alone takes null for omitted fields, and a publish for the base of a new prompt', () => {
  for (const { operationId, requestBody } of operations) {
    if (requestBody === undefined) continue;
    const { properties, required = [] } = requestBody.content['application/json'].schema;
    for (const [name, property] of Object.entries<Json>(properties)) {
      const isOmitted = operationId === 'prompt-get-compiled' && !required.includes(name);
      const isBase = operationId === 'prompt-publish' && name === 'base';
      expect({ operationId, name, takesNull: takesNull(property) }).toMatchObject({
        takesNull: isOmitted || isBase,
      });
    }
  }
});

/** All objects in a JSON value. */
const objectsIn = (value: unknown): Json[] =>
  typeof value === 'object' && value !== null
    ? [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(objectsIn)]
    : [];

test('tools of any language read it: patterns without the flag for Unicode, items in each array, one tag each', () => {
  expect(new Set(operations.map((each) => JSON.stringify(each.tags)))).toEqual(
    new Set(tags.map(({ name }: Json) => JSON.stringify([name]))),
  );
  const schemas = objectsIn({ paths, components }).filter(({ type }) => typeof type === 'string');
  for (const { type, items, pattern } of schemas) {
    if (type === 'array') expect(items).toBeDefined();
    if (typeof pattern === 'string') {
      expect(pattern).not.toContain('p{');
      expect(() => new RegExp(pattern)).not.toThrow();
    }
  }
});
