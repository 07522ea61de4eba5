import { readFileSync } from 'node:fs';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { errorsOf, openApi } from '../../contract/openapi.ts';

test('docs/openapi.json is what the contract says: run "npm run openapi" after a change', () => {
  expect(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(openApi(ENDPOINTS))),
  );
});

test.each(ENDPOINTS.flatMap((endpoint) => endpoint.examples.map((example) => ({ endpoint, example }))))(
  'the example "$example.summary" of $endpoint.id satisfies the schemas it illustrates',
  ({ endpoint, example }) => {
    const { params = {}, query = {}, body = {} } = example;
    expect(endpoint.params.safeParse(params).success).toBe(true);
    expect(endpoint.query.safeParse(query).success).toBe(true);
    expect(endpoint.body.safeParse(body).success).toBe(true);
    expect(endpoint.reply.safeParse(example.res).success).toBe(true);
  },
);

test('docs/errors.md has one row for each error code, with its status, and no other', async () => {
  const { ERROR_STATUS } = await import('../../contract/errors.ts');
  const rows = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `([a-z_]+)` +\| (\d{3}) +\|/gm)];
  expect(Object.fromEntries(rows.map(([, code, status]) => [code, Number(status)]))).toEqual(ERROR_STATUS);
});

test('no endpoint names an error twice', () => {
  for (const endpoint of ENDPOINTS) {
    expect(errorsOf(endpoint)).toHaveLength(new Set(errorsOf(endpoint)).size);
  }
});
