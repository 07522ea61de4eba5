import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { examplesOf } from '../../../contract/documentation/samples.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { promptsList } from '../../../contract/endpoints/prompts.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import type { HttpEvent } from '../../../lambdas/http/call.ts';
import { operatorEndpoint } from '../../../lambdas/http/operator-endpoint.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { startTokenIssuer, type TokenIssuer } from '../../support/token-issuer.ts';

const OPERATIONS: Endpoint[] = Object.values(ENDPOINTS).filter(({ access }) => access.kind === 'operator');

const schemaOf = (schema: z.ZodMiniType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

// The only row is that of the administrator whom the tokens name.
const ROW = { pk: 'OPERATOR#u', sk: 'OPERATOR', operatorId: 'u', group: 'admin', status: 'active', rev: 1 };
const TABLE = {
  client: { send: async () => ({ Item: ROW }) },
  signing: { isSigned: () => true, seen: new Map() },
  settings: { stage: 'test' },
} as unknown as Table;

let issuer: TokenIssuer;
let token: string;
beforeAll(async () => {
  issuer = await startTokenIssuer();
  token = await issuer.sign();
  process.env[ENVIRONMENT.tokenIssuer] = issuer.settings.issuer;
  process.env[ENVIRONMENT.tokenClient] = issuer.settings.clientId;
  process.env[ENVIRONMENT.tokenKeys] = issuer.settings.keys;
});
afterAll(() => issuer.stop());

/** What the endpoint answers to a request with the parameters of its first example. */
const answerTo = async (definition: Endpoint, request: { body?: unknown; query?: object }) => {
  const [example] = examplesOf(definition);
  const reply = await operatorEndpoint(definition, TABLE, async () => ({}))(
    {
      headers: { authorization: `Bearer ${token}` },
      pathParameters: example?.params,
      queryStringParameters: request.query ?? example?.query,
      body: JSON.stringify('body' in request ? request.body : example?.body),
    } as unknown as HttpEvent,
    { awsRequestId: 'r', getRemainingTimeInMillis: () => 10_000 } as unknown as Context,
  );
  return { status: reply.statusCode, err: JSON.parse(reply.body ?? '').err as string | null };
};

describe.each(OPERATIONS.map((definition) => [definition.id, definition] as const))('%s', (_, definition) => {
  const [example] = examplesOf(definition);
  const body = (example?.body ?? {}) as object;
  const expectRefused = async (request: Parameters<typeof answerTo>[1], err: unknown) =>
    expect(await answerTo(definition, request)).toEqual({ status: 400, err });

  test('accepts its example, and refuses it with an unknown field in body or query', async () => {
    expect(await answerTo(definition, {})).toEqual({ status: 200, err: null });
    for (const request of [
      { body: { ...body, unheardOf: 1 } },
      { query: { ...example?.query, unheardOf: '1' } },
    ])
      await expectRefused(
        request,
        expect.stringMatching(/^"unheardOf" is not a field\. (The fields are|There are none)/),
      );
  });

  test('refuses each field of its query that is empty, or of another form, by its name', async () => {
    for (const [name, field] of Object.entries(schemaOf(definition.query).properties ?? {})) {
      const others = /"(pattern|enum)"/.test(JSON.stringify(field)) ? ['-1'] : [];
      for (const value of ['', ...others, ...(name === 'limit' ? ['0', '201'] : [])])
        await expectRefused(
          { query: { ...example?.query, [name]: value } },
          expect.stringContaining(`"${name}"`),
        );
    }
  });

  test('refuses each field of its body that is of another type, by its name', async () => {
    const others = { string: 7, integer: 'x', number: 'x', boolean: 'yes', array: 'x', object: 'x' };
    for (const [name, field] of Object.entries(schemaOf(definition.body).properties ?? {})) {
      const { type } = field as { type?: keyof typeof others };
      if (type === undefined) continue;
      for (const value of [others[type], ...(type === 'integer' ? [-1, 1.5, '1'] : [])])
        await expectRefused({ body: { ...body, [name]: value } }, expect.stringContaining(`"${name}"`));
    }
  });

  test('refuses null where its schema does not allow it', async () => {
    const fields = Object.entries(schemaOf(definition.body).properties ?? {});
    for (const [name] of fields.filter(([, field]) => !JSON.stringify(field).includes('"null"')))
      expect(await answerTo(definition, { body: { ...body, [name]: null } })).toMatchObject({ status: 400 });
  });
});

// Objects in a schema that accept any field, by their paths.
const freeIn = (schema: unknown, path: string): string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, additionalProperties } = schema as { type?: unknown; additionalProperties?: unknown };
  return [
    ...(type === 'object' && additionalProperties !== false ? [path] : []),
    ...Object.entries(schema).flatMap(([name, inner]) =>
      freeIn(inner, ['properties', 'items', 'anyOf'].includes(name) ? path : `${path}.${name}`),
    ),
  ];
};

test('objects of any fields are metadata, data for models, names of variables, example values and claims only', () => {
  const free = OPERATIONS.flatMap(({ id, body, query }) =>
    [body, query].flatMap((schema) => freeIn(schemaOf(schema), id)),
  );
  const ofContent = ['config', 'metaProperties', 'output.schema', 'tools.inputSchema', 'variables'];
  const operations = ['drafts-save', 'effects-get.content', 'prompts-create', 'versions-publish'];
  expect(free.sort()).toEqual(
    [
      'examples-save.values',
      'keys-create.jwks',
      'keys-create.match',
      'prompts-try.config',
      'prompts-try.tools.inputSchema',
      ...operations.flatMap((id) => ofContent.map((path) => `${id}.${path}`)),
    ].sort(),
  );
});

test('a misspelled query is refused with the name it resembles', async () => {
  expect(await answerTo(promptsList, { query: { Tag: 'x' } })).toEqual({
    status: 400,
    err: '"Tag" is not a field. Did you mean "tag"?',
  });
});
