import type { InputOf } from '../../../contract/endpoint.ts';
import type { keysCreate } from '../../../contract/endpoints/api-keys.ts';
import { isObject } from '../../../contract/fields/patterns.ts';
import { type ClaimValue, identityClaims, type Match } from '../../../contract/issuers.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { assertValid } from '../errors.ts';

/** Whether a text is the address of an issuer, written as tokens have it: https, a name, and perhaps a path. */
export const isIssuer = (text: string): boolean => {
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:' || /^[\d.]+$|:/.test(url.hostname)) return false;
  // Without credentials, query and fragment, and with nothing that a parser would write differently.
  const { origin, pathname } = url;
  return text === origin + pathname || (pathname === '/' && text === origin);
};

const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/;

const isClaimValue = (value: unknown): value is ClaimValue =>
  ['string', 'number', 'boolean'].includes(typeof value);

const valuesOf = (pointer: string, given: unknown): readonly ClaimValue[] => {
  assertValid(
    POINTER.test(pointer),
    `"match" has ${JSON.stringify(pointer)}, which is not a JSON Pointer to a claim. Write it as "/repository_id"; "~1" stands for "/" in a name.`,
  );
  const values: unknown[] = [given].flat();
  assertValid(
    values.length > 0 && values.length <= LIMITS.matchValues && values.every(isClaimValue),
    `"match" must have 1 to ${LIMITS.matchValues} texts, numbers or booleans for "${pointer}".`,
  );
  return [...new Set(values.filter(isClaimValue))];
};

const matchOf = (issuer: string, given: Readonly<Record<string, unknown>>): Match => {
  const claims = Object.entries(given);
  assertValid(claims.length <= LIMITS.matchClaims, `"match" must name at most ${LIMITS.matchClaims} claims.`);
  const match = Object.fromEntries(claims.map(([pointer, values]) => [pointer, valuesOf(pointer, values)]));
  for (const oneOf of identityClaims(issuer)) {
    const named = oneOf.filter((pointer) => Object.hasOwn(match, pointer));
    assertValid(
      named.length > 0,
      `"match" must name ${oneOf.map((pointer) => `"${pointer}"`).join(' or ')}, which says whose token it is: others get tokens of ${issuer} too.`,
    );
    for (const pointer of named)
      assertValid(
        match[pointer]?.every((value) => typeof value === 'string' && value !== '') === true,
        `"${pointer}" is a text in these tokens: write its values in quotation marks.`,
      );
  }
  return match;
};

/**
 * The proof that a new trust demands of its callers, with the public keys of the issuer as they were given; undefined
 * for an API key. `local` is the one issuer that may be without https.
 */
export const proofOf = (input: InputOf<typeof keysCreate.body>, local?: string) => {
  const { kind = 'key', issuer, match, jwks } = input;
  if (kind === 'key') {
    const given = Object.entries({ issuer, match, jwks }).find(([, value]) => value !== undefined);
    assertValid(given === undefined, `"${given?.[0]}" is only for trusts: send "kind": "trust" with it.`);
    return undefined;
  }
  assertValid(
    issuer !== undefined && (isIssuer(issuer) || issuer === local),
    '"issuer" must be the https address of an issuer, exactly as its tokens name it, such as "https://token.actions.githubusercontent.com".',
  );
  assertValid(isObject(match), '"match" must be an object, such as {"/repository_id": ["123456"]}.');
  return { issuer: issuer as string, match: matchOf(issuer as string, match ?? {}), jwks };
};
