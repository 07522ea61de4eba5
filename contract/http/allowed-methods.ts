import { ENDPOINTS } from '../endpoints.ts';

const matches = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((wanted, at) => (wanted.startsWith('{') ? segments[at] !== '' : wanted === segments[at]));

/** The distinct methods of the routes at a decoded path; empty if there is no route. */
export const allowedMethods = (path: string): string[] => {
  const segments = path.split('/');
  const routes = ENDPOINTS.flatMap(({ route }) => route ?? []);
  const allowed = routes.filter((route) => matches(route.path.split('/'), segments));
  return [...new Set(allowed.map(({ method }) => method))].sort();
};
