import type { Context } from 'aws-lambda';
import type { ReplyTo } from '../../contract/documentation.ts';
import { type Endpoint, isRead } from '../../contract/endpoint.ts';
import type { Permission } from '../../contract/fields/access.ts';
import { HEADERS } from '../../contract/http/errors.ts';
import { LIMITS, truncateUtf8 } from '../../contract/limits.ts';
import { type Bearer, bearerOf, matchesHash } from '../core/api-keys/api-keys.ts';
import { type Admitted, type ApiKey, admit, RefusedCall, unauthenticated } from '../core/api-keys/rules.ts';
import { findApiKey } from '../store/api-keys/api-key-row.ts';
import type { Table } from '../store/table.ts';
import type { Facts, HttpEvent, Input, KeyCall } from './call.ts';
import { parseInput } from './input.ts';
import type { createRefusals } from './refusals.ts';
import { ENVELOPE, type Form, type HttpHandler, httpStack } from './stack.ts';

const IGNORED_NAMES = 5;
const IGNORED_NAME_BYTES = 64;

const listOf = (names: readonly string[]) =>
  names
    .slice(0, IGNORED_NAMES)
    .map((name) => encodeURIComponent(truncateUtf8(name, IGNORED_NAME_BYTES)))
    .join(', ');

const factsOf = (event: HttpEvent, context: Context): Facts => ({
  at: new Date(),
  requestId: context.awsRequestId,
  sourceIp: event.requestContext.http.sourceIp,
  userAgent: truncateUtf8(event.requestContext.http.userAgent, LIMITS.userAgentBytes),
});

/**
 * Reads the record of the API key in a request, checks that it admits the call, and returns it. Without a key, nothing
 * is read.
 */
const authenticate = async (
  table: Table,
  permission: Permission | readonly Permission[],
  bearer: Bearer | undefined,
  { sourceIp, at }: { readonly sourceIp: string; readonly at: Date },
) => {
  if (bearer === undefined) throw unauthenticated('malformed_key');
  const found = await findApiKey(table, bearer.keyId);
  if (found === undefined) throw unauthenticated('unknown_key');
  // Nobody has shown yet that a token is one of this trust, so its audit log gets no entry. A revoked key has no hash.
  if (found.revokedAt !== undefined) throw unauthenticated('revoked', 'token' in bearer ? undefined : found);
  if ('token' in bearer) {
    const { requireToken } = await import('../store/api-keys/token-proof.ts');
    await requireToken(table, found, bearer.token, at);
  } else if (!matchesHash(bearer.apiKey, found.hash)) throw unauthenticated('wrong_secret', found);
  return admit(found, permission, sourceIp, at);
};

/** What an application waits for. */
const READ_MS = 3_000;

// What is awaited later must not count as an unhandled rejection until then: that would end the container.
const IGNORED = () => undefined;

const admittedWith =
  (admission: Promise<ApiKey>): Admitted =>
  async (begun) => {
    begun.catch(IGNORED);
    return [await admission, await begun];
  };

/** How an endpoint takes API keys and forms its replies. */
export interface KeyForm extends Form {
  readonly credentialOf: (authorization: string | undefined) => Bearer | undefined;
}

/**
 * The handler of an endpoint that takes API keys. The key's record is read while the endpoint starts its own reads. A
 * refusal of the key takes precedence over what is wrong with the body, and over the results of these reads. Refused
 * calls are logged, counted and written to the audit log. Always answers in the form of its replies. `admitting` runs once
 * the key admits the call, whatever its body, and can refuse it.
 */
export const keyEndpoint = <E extends Endpoint>(
  definition: E,
  table: Table,
  handle: (call: KeyCall<E>) => Promise<ReplyTo<E['id']>>,
  form: KeyForm = { ...ENVELOPE, credentialOf: bearerOf },
  admitting: (apiKey: ApiKey, at: Date) => Promise<void> = async () => undefined,
): HttpHandler => {
  const { id, access } = definition;
  if (access.kind !== 'api-key') throw new Error('This endpoint does not take API keys.');
  let report: ReturnType<typeof createRefusals> | undefined;
  return httpStack(
    async (event, context) => {
      const facts = factsOf(event, context);
      const bearer = form.credentialOf(event.headers.authorization);
      const admission = authenticate(table, access.permission, bearer, facts).then(async (apiKey) => {
        await admitting(apiKey, facts.at);
        return apiKey;
      });
      admission.catch(IGNORED);
      let input: Input<E> | undefined;
      try {
        // A caller without a key causes no read, and a caller who is not admitted yet causes no expensive work.
        const isLarge = Buffer.byteLength(event.body ?? '') > LIMITS.unadmittedBodyBytes;
        if (bearer === undefined || isLarge) await admission;
        input = parseInput(definition, event, (ignored) => {
          context.headers = { [HEADERS.ignored]: listOf(ignored) };
        });
        return await handle({ ...facts, ...input, admitted: admittedWith(admission) });
      } catch (thrown) {
        // Only admitted callers learn what is wrong with their call.
        const { apiKey, error } = await admission.then(
          (apiKey) => ({ apiKey, error: thrown }),
          (error: unknown) => ({ apiKey: undefined, error }),
        );
        if (error instanceof RefusedCall) {
          report ??= (await import('./refusals.ts')).createRefusals(table, id);
          await report(error, { ...facts, input, keyId: bearer?.keyId }, apiKey);
        }
        throw error;
      }
    },
    form,
    isRead(definition) ? READ_MS : undefined,
  );
};
