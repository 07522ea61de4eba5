import { ENDPOINTS } from '../endpoints.ts';

/** Whether the segments of a decoded path fit those of a route. The last parameter may be greedy: `{name+}`. */
export const matches = (pattern: readonly string[], segments: readonly string[]): boolean => {
  const greedy = pattern.at(-1)?.endsWith('+}') === true;
  if (greedy ? segments.length < pattern.length : segments.length !== pattern.length) return false;
  return pattern.every((wanted, at) =>
    wanted.startsWith('{') ? segments[at] !== '' : wanted === segments[at],
  );
};

/** The distinct methods of the routes at a decoded path; empty if there is no route. */
export const allowedMethods = (path: string): string[] => {
  const segments = path.split('/');
  const routes = ENDPOINTS.flatMap(({ route }) => route ?? []);
  const allowed = routes.filter((route) => matches(route.path.split('/'), segments));
  return [...new Set(allowed.map(({ method }) => method))].sort();
};
