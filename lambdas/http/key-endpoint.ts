import type { Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Endpoint, ReplyOf } from '../../contract/endpoint.ts';
import type { ApiKey } from '../core/api-keys/rules.ts';
import { type ApiKeyUses, createApiKeyUses } from '../store/api-keys/uses.ts';
import type { Table } from '../store/table.ts';
import { authenticate, noteUse, readBearer } from './authenticate.ts';
import { parseBody } from './body.ts';
import type { Call, HttpEvent, KeyCall } from './call.ts';
import { type HttpHandler, httpStack } from './stack.ts';

const factsOf = (event: HttpEvent, context: Context): Omit<Call<never>, 'body'> => ({
  at: new Date(),
  requestId: context.awsRequestId,
  sourceIp: event.requestContext.http.sourceIp,
  userAgent: event.requestContext.http.userAgent,
});

const admittedWith =
  (admission: Promise<ApiKey>) =>
  async <T>(begun: Promise<T>): Promise<[ApiKey, T]> => {
    // Awaited below, but only after the key: until then its failure must not count as unhandled.
    begun.catch(() => undefined);
    return [await admission, await begun];
  };

// A body that is wrong is told so only to those who may call.
const parseFor = async <T>(admission: Promise<ApiKey>, parse: () => T): Promise<T> => {
  try {
    return parse();
  } catch (error) {
    await admission;
    throw error;
  }
};

/**
 * The handler of an endpoint that takes API keys. The key's record is read while the endpoint begins its own reads, and
 * is judged before the body and before anything that was begun. Answers with the envelope, always.
 */
export const keyEndpoint = <Body extends z.ZodMiniType, Reply extends z.ZodMiniType>(
  { access, body: schema }: Endpoint<Body, Reply>,
  table: Table,
  handle: (call: KeyCall<z.output<Body>>) => Promise<ReplyOf<Reply>>,
  uses: ApiKeyUses = createApiKeyUses(table),
): HttpHandler => {
  if (access.kind !== 'api-key') throw new Error('This endpoint does not take API keys.');
  return httpStack(async (event, context) => {
    const facts = factsOf(event, context);
    const admission = authenticate(table, access.permission, readBearer(event), facts);
    const noted = noteUse(uses, admission, facts.at, facts.requestId);
    try {
      const body = await parseFor(admission, () => parseBody(schema, event));
      return await handle({ ...facts, body, admitted: admittedWith(admission) });
    } finally {
      await noted;
    }
  });
};
