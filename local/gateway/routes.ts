import type { Endpoint } from '../../contract/endpoint.ts';
import { matches } from '../../contract/endpoints/allowed-methods.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';

export interface Match {
  readonly endpoint: Endpoint;
  /** Such as `GET /api/admin/prompts/{promptId}`. */
  readonly routeKey: string;
  /** Decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

export type Router = (method: string, path: string) => Match | undefined;

const PARAMETER = /^\{(.+?)(\+?)\}$/;

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

const toRoutes = (endpoints: readonly Endpoint[]) =>
  endpoints.flatMap((endpoint) => {
    const { route } = endpoint;
    if (route === undefined) return [];
    const { method, path } = route;
    return [{ endpoint, routeKey: `${method} ${path}`, method, segments: segmentsOf(path) }];
  });

type Route = ReturnType<typeof toRoutes>[number];

// Names come before parameters, from the left: "import" before "{secretId}"; greedy parameters come last.
const order = (a: Route, b: Route): number => {
  const rank = (segment: string) => (!PARAMETER.test(segment) ? '0' : segment.endsWith('+}') ? '2' : '1');
  const pattern = ({ segments }: Route) => segments.map(rank).join('');
  return pattern(a).localeCompare(pattern(b));
};

/** Decodes percent-encoded text. Returns the text itself if it is not valid. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const fits = (route: Route, method: string, segments: readonly string[]): boolean =>
  route.method === method && matches(route.segments, segments);

const parametersOf = (route: Route, segments: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    route.segments.flatMap((wanted, at) => {
      const [, name, greedy] = PARAMETER.exec(wanted) ?? [];
      if (name === undefined) return [];
      return [[name, greedy === '' ? (segments[at] ?? '') : segments.slice(at).join('/')]];
    }),
  );

/**
 * Finds the route of a request as an HTTP API does: by method and decoded path, the most specific route first. A path
 * is decoded before it is split: a slash sent as `%2F` separates segments too. Undefined if only the default route
 * matches.
 */
export const createRouter = (endpoints: readonly Endpoint[] = ENDPOINTS): Router => {
  const routes = toRoutes(endpoints).sort(order);
  return (method, path) => {
    const segments = segmentsOf(decoded(path));
    const route = routes.find((candidate) => fits(candidate, method, segments));
    return (
      route && {
        endpoint: route.endpoint,
        routeKey: route.routeKey,
        pathParameters: parametersOf(route, segments),
      }
    );
  };
};
