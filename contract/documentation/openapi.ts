import * as z from 'zod/mini';
import { documentationOf, type Example, RESOURCES } from '../documentation.ts';
import { type Endpoint, nothing } from '../endpoint.ts';
import { ERROR_STATUS, type ErrorCode, HEADERS } from '../http/errors.ts';
import { examplesOf } from './samples.ts';

type Json = Record<string, unknown>;

const COMMON: readonly ErrorCode[] = ['internal', 'unavailable', 'timeout'];
const WITH_BODY: readonly ErrorCode[] = ['invalid_json', 'body_too_large'];
const BY_ACCESS: Readonly<Record<Endpoint['access']['kind'], readonly ErrorCode[]>> = {
  public: [],
  'api-key': [
    'invalid_request',
    'token_too_large',
    'unauthenticated',
    'forbidden',
    'address_not_allowed',
    'integrity',
  ],
  operator: ['invalid_request', 'unauthenticated', 'forbidden', 'reply_too_large', 'integrity'],
};

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'No valid API key, or no session of an operator.',
  403: 'The caller lacks permission.',
  404: 'Not found.',
  409: 'The request conflicts with the current state.',
  413: 'The request or the reply is too large.',
  500: 'Internal error.',
  503: 'A dependency failed or the request timed out.',
};

// Many tools read patterns without the flag for Unicode. These accept more; the service has the exact rule.
const PORTABLE: readonly (readonly [exact: string, portable: string])[] = [
  ['[\\p{L}\\p{N}]', '[^\\u0000-\\/:-@\\[-`{-\\u007f]'],
  ['[\\p{L}\\p{M}\\p{N}._-]', '[^\\u0000-,\\/:-@\\[-\\^`{-\\u007f]'],
  ['\\p{C}', '\\u0000-\\u001f\\u007f-\\u009f'],
];

const portable = (pattern: string) =>
  PORTABLE.reduce((text, [exact, wider]) => text.replaceAll(exact, wider), pattern);

/** A schema with patterns that tools of any language read. */
const jsonSchemaOf = (schema: z.ZodMiniType, io: 'input' | 'output'): Json => {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    io,
    override: ({ jsonSchema }) => {
      if (jsonSchema.pattern !== undefined) jsonSchema.pattern = portable(jsonSchema.pattern);
    },
  });
  return rest;
};

const schemaOf = (schema: z.ZodMiniType): Json => jsonSchemaOf(schema, 'input');

const nullable = (property: Json): Json => ({
  ...property,
  ...(property.type === undefined ? {} : { type: [property.type, 'null'] }),
  ...(Array.isArray(property.enum) ? { enum: [...property.enum, null] } : {}),
  ...(Array.isArray(property.anyOf) ? { anyOf: [...property.anyOf, { type: 'null' }] } : {}),
});

// Where null counts as absent, unknown properties are ignored as well.
const bodySchema = ({ body, nullFields }: Endpoint): Json => {
  const schema = schemaOf(body);
  if (nullFields === 'refused') return schema;
  const { additionalProperties, properties = {}, ...rest } = schema;
  const required = new Set(rest.required as readonly string[] | undefined);
  return {
    ...rest,
    properties: Object.fromEntries(
      Object.entries(properties as Record<string, Json>).map(([name, property]) => [
        name,
        required.has(name) ? property : nullable(property),
      ]),
    ),
  };
};

const success = (endpoint: Endpoint): Json => {
  const res = schemaOf(documentationOf(endpoint).reply);
  return endpoint.form === 'langfuse'
    ? res
    : { type: 'object', required: ['err', 'res'], properties: { err: { type: 'null' }, res } };
};

const json = (schema: Json, examples?: Json): Json => ({
  'application/json': { schema, ...(examples && { examples }) },
});

const takesBody = ({ body }: Endpoint) => body !== nothing;

/** Whether the calls of a key are counted, and bounded. */
const isCounted = ({ access, grants }: Endpoint) =>
  access.kind === 'api-key' &&
  grants.some((grant) => grant.on === 'table' && grant.partitions.includes('apiKeyUse'));

/** The codes of an endpoint, and of the layers around it. */
export const errorsOf = (endpoint: Endpoint): ErrorCode[] => [
  ...BY_ACCESS[endpoint.access.kind],
  ...(takesBody(endpoint) ? WITH_BODY : []),
  ...endpoint.errors,
  ...(isCounted(endpoint) ? (['rate_limited'] as const) : []),
  ...COMMON,
];

interface SharedResponse {
  readonly status: string;
  /** In `components.responses`. */
  readonly name: string;
  readonly response: Json;
}

const nameOf = (codes: readonly ErrorCode[]) =>
  codes
    .map((code) => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    .join('Or');

const GATEWAY_FAILURE: Json = { type: 'object', properties: { message: { type: 'string' } } };

const failureSchema = ({ form, access }: Endpoint, status: number): Json => {
  const schema = { $ref: `#/components/schemas/${form === 'langfuse' ? 'LangfuseFailure' : 'Failure'}` };
  // The gateway answers those without a valid access token, without the envelope.
  return status === 401 && access.kind === 'operator' ? { anyOf: [schema, GATEWAY_FAILURE] } : schema;
};

const failures = (endpoint: Endpoint): SharedResponse[] => {
  const byStatus = Map.groupBy(errorsOf(endpoint), (code) => ERROR_STATUS[code]);
  return [...byStatus].map(([status, codes]) => ({
    status: String(status),
    name: nameOf(codes) + (endpoint.form === 'langfuse' ? 'Langfuse' : ''),
    response: {
      description: `${STATUS_TEXT[status]} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
      headers: {
        [HEADERS.error]: { schema: { enum: codes } },
        [HEADERS.requestId]: { $ref: '#/components/headers/RequestId' },
      },
      content: json(failureSchema(endpoint, status)),
    },
  }));
};

const named = (endpoint: Endpoint, value: (example: Example) => unknown): Json =>
  Object.fromEntries(
    examplesOf(endpoint).map((example) => [
      example.summary,
      { summary: example.summary, value: value(example) },
    ]),
  );

// A query schema converts strings to numbers; its output describes a parameter better than its input.
const parametersIn = (location: 'path' | 'query', schema: z.ZodMiniType): Json[] => {
  const made = jsonSchemaOf(schema, 'output');
  const required = new Set(schemaOf(schema).required as readonly string[] | undefined);
  return Object.entries(made.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property as Json;
    return {
      name,
      in: location,
      required: location === 'path' || required.has(name),
      description,
      schema: rest,
    };
  });
};

// The gateway answers it itself, without the envelope.
const TOO_MANY: SharedResponse = {
  status: '429',
  name: 'GatewayTooManyRequests',
  response: {
    description: 'Too many requests; answered by the gateway.',
    content: json(GATEWAY_FAILURE),
  },
};

// Those for code have a 429 of their own, which has the envelope.
const shared = (endpoint: Endpoint): SharedResponse[] => [TOO_MANY, ...failures(endpoint)];

const SECURITY: Readonly<Record<Endpoint['access']['kind'], readonly Json[]>> = {
  public: [],
  'api-key': [{ apiKey: [] }],
  operator: [{ operator: [] }],
};

const IGNORED = {
  description:
    'The fields of the body that mean nothing here, such as misspelled ones: up to five names, percent-encoded and cut at 64 bytes. Errors have it too.',
  schema: { type: 'string' },
};

const responses = (endpoint: Endpoint): Json => ({
  200: {
    description: 'Success.',
    headers: {
      [HEADERS.requestId]: { $ref: '#/components/headers/RequestId' },
      ...(endpoint.nullFields === 'absent' && { [HEADERS.ignored]: IGNORED }),
    },
    content: json(
      success(endpoint),
      named(endpoint, ({ res }) => (endpoint.form === 'langfuse' ? res : { err: null, res })),
    ),
  },
  ...Object.fromEntries(
    shared(endpoint).map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
  ),
});

const operation = (endpoint: Endpoint): Json => {
  const { id, summary, access, params, query } = endpoint;
  const parameters = [...parametersIn('path', params), ...parametersIn('query', query)];
  const role = access.kind === 'operator' ? ` Requires the group \`${access.role}\` or higher.` : '';
  return {
    operationId: id,
    summary,
    tags: RESOURCES.filter(([, , operations]) => id in operations).map(([name]) => name),
    description: documentationOf(endpoint).description + role,
    security: endpoint.form === 'langfuse' ? [{ apiKeyAsPassword: [] }] : SECURITY[access.kind],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(takesBody(endpoint) && {
      requestBody: {
        required: true,
        content: json(
          bodySchema(endpoint),
          named(endpoint, ({ body }) => body),
        ),
      },
    }),
    responses: responses(endpoint),
  };
};

const pathsOf = (endpoints: readonly Endpoint[]): Json => {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    if (endpoint.route === undefined) continue;
    const { method } = endpoint.route;
    // OpenAPI has no greedy parameters.
    const path = endpoint.route.path.replace('+}', '}');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(endpoint) };
  }
  return paths;
};

/** The OpenAPI 3.1 document of the endpoints, as in `docs/openapi.json`. */
export const openApi = (endpoints: readonly Endpoint[]): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Cuevault',
    version: '1.0.0',
    description:
      'Prompts and secrets for applications. Every reply that a function makes is the envelope `{"err": null, "res": …}` or `{"err": "one clear sentence", "res": null}`; on failure the header `cuevault-error` contains a machine-readable code. Errors of the gateway itself have the form `{"message": "…"}`: 429, 401 for operators, and 403, 413, 500 or 503 if the function was not reached or did not answer. The route that Langfuse\'s clients read has no envelope.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    contact: { name: 'Cuevault', url: 'https://cuevault.invalid/cuevault/issues' },
  },
  tags: RESOURCES.map(([name, description]) => ({ name, description })),
  servers: [
    { url: 'http://localhost:3000', description: 'A local instance' },
    {
      url: 'https://{api}',
      variables: { api: { default: 'example.com' } },
      description: 'The output `ApiUrl` of a deployment',
    },
  ],
  paths: pathsOf(endpoints),
  components: {
    responses: Object.fromEntries(
      endpoints
        .filter(({ route }) => route !== undefined)
        .flatMap(shared)
        .map(({ name, response }) => [name, response] as const),
    ),
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, `cue_…`, in `Authorization: Bearer <API key>`.',
      },
      apiKeyAsPassword: {
        type: 'http',
        scheme: 'basic',
        description: 'An API key, `cue_…`, as the password; the user name does not matter.',
      },
      operator: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description:
          'An access token of an operator with the scope `cuevault/admin`. The group decides: a `viewer` can read, an `editor` can also change prompts and secrets, an `admin` can do everything.',
      },
    },
    headers: {
      RequestId: { description: 'Identifies the request in the logs.', schema: { type: 'string' } },
    },
    schemas: {
      Failure: {
        type: 'object',
        required: ['err', 'res'],
        properties: { err: { type: 'string', description: 'One clear sentence.' }, res: { type: 'null' } },
      },
      LangfuseFailure: {
        type: 'object',
        required: ['message', 'error'],
        properties: {
          message: { type: 'string', description: 'One clear sentence.' },
          error: { type: 'string', description: 'The name of the error in Langfuse.' },
        },
      },
    },
  },
});
