import { readFileSync } from 'node:fs';

export const MILLION = 1_000_000;
export const GB = 1e9;

const PRICES = JSON.parse(readFileSync(new URL('prices.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, number> & Record<'published' | 'region', string>
>;

/** The month of the prices. */
export const PUBLISHED = PRICES.published;

/** A price of `prices.json`, in dollars. */
export const price = (name: string): number => {
  const value = PRICES[name];
  if (typeof value !== 'number') throw new Error(`prices.json has no ${name}.`);
  return value;
};

/** Dollars for an invocation. */
export const invocation = (memoryMb: number, seconds: number): number =>
  price('lambdaMillionInvocations') / MILLION + (memoryMb / 1_024) * seconds * price('lambdaArmGbSecond');
