/** Whether the throttle of a route lets one more request pass. */
export type Throttle = (routeKey: string) => boolean;

/**
 * Throttles each route separately, as API Gateway does: a token bucket that holds the requests of one second and
 * refills at `perSecond`. `now` returns milliseconds. Source: Amazon API Gateway Developer Guide, "Throttle requests to
 * your HTTP APIs".
 */
export const createThrottle = (perSecond: number, now: () => number = Date.now): Throttle => {
  const costMs = 1_000 / perSecond;
  const fullAt = new Map<string, number>();
  return (routeKey) => {
    const at = now();
    const next = Math.max(fullAt.get(routeKey) ?? at, at) + costMs;
    if (next - at > 1_000 + costMs / 2) return false;
    fullAt.set(routeKey, next);
    return true;
  };
};
