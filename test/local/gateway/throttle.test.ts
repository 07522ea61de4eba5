import { createThrottle } from '../../../local/gateway/functions.ts';

let now = 0;
const passed = (throttle: (routeKey: string) => boolean, routeKey: string, requests: number): number =>
  Array.from({ length: requests }, () => throttle(routeKey)).filter(Boolean).length;

test('a route accepts the requests of a second at once, then as many as the bucket refills', () => {
  now = 0;
  const throttle = createThrottle(5, () => now);
  expect(passed(throttle, 'GET /a', 8)).toBe(5);
  now = 400;
  expect(passed(throttle, 'GET /a', 8)).toBe(2);
  now = 60_000;
  expect(passed(throttle, 'GET /a', 8)).toBe(5);
});

test('routes do not share their requests', () => {
  const throttle = createThrottle(1, () => now);
  expect(passed(throttle, 'GET /a', 2)).toBe(1);
  expect(passed(throttle, 'GET /b', 2)).toBe(1);
});
