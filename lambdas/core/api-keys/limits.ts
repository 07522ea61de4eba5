import type { InputOf } from '../../../contract/endpoint.ts';
import type { keysCreate } from '../../../contract/endpoints/api-keys.ts';
import {
  BASE_LIMITS,
  FURTHER_LIMITS,
  KEY_LIMITS,
  type KeyLimits,
} from '../../../contract/fields/key-limits.ts';
import { assertValid } from '../errors.ts';
import { checkNewName } from '../names.ts';
import { isCidr } from './addresses.ts';

/** What an API key is created with. */
export type ApiKeyInput = InputOf<typeof keysCreate.body>;

const namesOf = <Limits extends object>(limits: Limits) => Object.keys(limits) as (keyof Limits)[];

export const LIMIT_NAMES = namesOf(KEY_LIMITS);

const withoutRepeats = (value: unknown): unknown => (Array.isArray(value) ? [...new Set(value)] : value);

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

/** The limits in the input of a request, each value once. An empty further limit is undefined. */
export const limitsOf = (
  input: { readonly [Name in keyof KeyLimits]?: KeyLimits[Name] | undefined },
): KeyLimits => {
  const base = namesOf(BASE_LIMITS).map((name) => [name, withoutRepeats(input[name] ?? [])]);
  const further = namesOf(FURTHER_LIMITS).map((name) => [
    name,
    isEmpty(input[name]) ? undefined : withoutRepeats(input[name]),
  ]);
  return Object.fromEntries([...base, ...further]);
};

/**
 * Checks what the contract does not: invisible characters, address ranges, limits that concern none of the permissions,
 * and the time.
 */
export const checkApiKey = (name: string, limits: KeyLimits, now: Date): void => {
  const { permissions, cidrs, expiresAt } = limits;
  checkNewName('name', name);
  const wrong = cidrs.find((cidr) => !isCidr(cidr));
  assertValid(
    wrong === undefined,
    `"${wrong}" is not an address range; write it as 203.0.113.0/24 or 2001:db8::/32.`,
  );
  for (const limit of namesOf(FURTHER_LIMITS)) {
    const { concerns: named, field } = KEY_LIMITS[limit];
    const concerns = named ?? field?.concerns ?? permissions;
    assertValid(
      // A key without the permission may create 0 prompts: so the permission can be taken from one that has a number.
      !limits[limit] || concerns.some((each) => permissions.includes(each)),
      `"${limit}" is only for keys with the permission "${concerns.join('" or "')}".`,
    );
  }
  assertValid(
    expiresAt === undefined || Date.parse(expiresAt) > now.getTime(),
    '"expiresAt" must be a time in the future, such as "2030-01-31T00:00:00Z".',
  );
};

/** Checks that a key with the limits `to` may do nothing that it may not do with `from`. */
export const checkNarrower = (from: KeyLimits, to: KeyLimits): void => {
  for (const name of LIMIT_NAMES) {
    const reason = KEY_LIMITS[name].wider(from[name], to[name]);
    assertValid(reason === undefined, `"${name}" ${reason}. To allow more, create another key.`);
  }
};
