import * as z from 'zod/mini';
import type { Endpoint, Method } from '../../../contract/endpoint.ts';
import { notFound } from '../../../contract/endpoints/service.ts';
import { createRouter } from '../../../local/gateway/routes.ts';

const endpointAt = (method: Method, path: string): Endpoint => ({
  ...(notFound as Endpoint),
  id: `${method} ${path}`,
  route: { method, path },
  body: z.object({}),
});

const route = createRouter([
  endpointAt('POST', '/secrets/{secretId}'),
  endpointAt('POST', '/secrets/import'),
  endpointAt('GET', '/secrets'),
  endpointAt('GET', '/prompts/{promptId}/versions/{version}'),
  endpointAt('PUT', '/prompts/{promptId}/labels/{label}'),
  endpointAt('GET', '/public/{name+}'),
  endpointAt('GET', '/public/{name}/source'),
  notFound,
]);

test('a literal segment wins over a parameter, in any order of routes', () => {
  expect(route('POST', '/secrets/import')?.routeKey).toBe('POST /secrets/import');
  expect(route('POST', '/secrets/imports')).toMatchObject({
    routeKey: 'POST /secrets/{secretId}',
    pathParameters: { secretId: 'imports' },
  });
});

test('a path is decoded before it is split into parameters', () => {
  expect(route('PUT', '/prompts/p1/labels/b%20%C3%A4')?.pathParameters).toEqual({
    promptId: 'p1',
    label: 'b ä',
  });
  expect(route('PUT', '/prompts%2Fp1/labels/b')?.pathParameters).toEqual({ promptId: 'p1', label: 'b' });
  expect(route('PUT', '/prompts/p1/labels/100%')?.pathParameters.label).toBe('100%');
});

test('a greedy parameter takes the rest of the path, unless a more specific route matches', () => {
  const named = (path: string) => route('GET', `/public/${path}`)?.pathParameters;
  expect(named('greeting')).toEqual({ name: 'greeting' });
  expect(named('team%2Fgreeting/de')).toEqual({ name: 'team/greeting/de' });
  expect(route('GET', '/public/greeting/source')?.routeKey).toBe('GET /public/{name}/source');
});

test.each([
  ['GET', '/public/'],
  ['GET', '/secrets/import'],
  ['GET', '/secrets/'],
  ['PUT', '/prompts/p1/labels/a%2Fb'],
  ['POST', '/secrets/'],
  ['GET', '/prompts//versions/1.0.0'],
  ['GET', '/prompts/p1/versions/1.0.0/more'],
  ['get', '/secrets'],
  ['GET', '/'],
])('%s %s is left to the default route', (method, path) => {
  expect(route(method, path)).toBeUndefined();
});
