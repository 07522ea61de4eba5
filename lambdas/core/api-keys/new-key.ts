import type { Permission } from '../../../contract/endpoint.ts';
import { assertValid } from '../errors.ts';
import { checkNewName } from '../names.ts';
import { isCidr } from './addresses.ts';

export interface ApiKeyInput {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly tags?: readonly string[];
  readonly prompts?: readonly string[];
  readonly cidrs?: readonly string[];
  readonly labels?: readonly string[] | undefined;
  readonly expiresAt?: string | undefined;
  readonly replaces?: string | undefined;
}

/** Checks what the contract does not: invisible characters, address ranges, whose labels they are, and the time. Errors: `invalid_request`. */
export const checkApiKeyInput = (
  { name, permissions, cidrs = [], labels = [], expiresAt }: ApiKeyInput,
  now: Date,
): void => {
  checkNewName('name', name);
  const wrong = cidrs.find((cidr) => !isCidr(cidr));
  assertValid(
    wrong === undefined,
    `"${wrong}" is not an address range; write it as 203.0.113.0/24 or 2001:db8::/32.`,
  );
  assertValid(
    labels.length === 0 || permissions.includes('publish'),
    '"labels" is only for keys with the permission "publish".',
  );
  assertValid(
    expiresAt === undefined || Date.parse(expiresAt) > now.getTime(),
    '"expiresAt" must be a time in the future, such as "2030-01-31T00:00:00Z".',
  );
};
