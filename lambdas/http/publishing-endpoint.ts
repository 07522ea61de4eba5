import type { ReplyTo } from '../../contract/documentation.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type ApiKey, RefusedCall } from '../core/api-keys/rules.ts';
import { CuevaultError } from '../core/errors.ts';
import { countCall } from '../store/api-keys/uses.ts';
import type { Change } from '../store/audit.ts';
import type { Table } from '../store/table.ts';
import type { Input } from './call.ts';
import { keyEndpoint } from './key-endpoint.ts';
import type { HttpHandler } from './stack.ts';

/** A call by a job whose API key is admitted. */
interface PublishingCall<E extends Endpoint> extends Pick<Input<E>, 'body'> {
  readonly apiKey: ApiKey;
  /** Who makes the change, for the audit log. A key is never an administrator. */
  readonly change: Change;
}

const changeOf = (
  { at, requestId }: { readonly at: Date; readonly requestId: string },
  { name, keyId }: ApiKey,
): Change => ({
  at,
  requestId,
  // Operators have e-mail addresses: no name of a key looks like one.
  actor: { id: keyId, name: `API key ${name}` },
  isAdmin: false,
});

/**
 * The handler of an endpoint for publishing from code: like `keyEndpoint`, but the key is admitted and the call
 * counted, whatever its body, before anything else is read.
 */
export const publishingEndpoint = <E extends Endpoint>(
  definition: E,
  table: Table,
  handle: (call: PublishingCall<E>) => Promise<ReplyTo<E['id']>>,
): HttpHandler =>
  keyEndpoint(
    definition,
    table,
    async ({ body, admitted, ...request }) => {
      const [apiKey] = await admitted(Promise.resolve());
      return handle({ body, apiKey, change: changeOf(request, apiKey) }).catch((error: unknown) => {
        const isProtected = error instanceof CuevaultError && error.code === 'label_protected';
        throw isProtected ? new RefusedCall('protected_label', error.message, apiKey) : error;
      });
    },
    undefined,
    (apiKey, at) => countCall(table, apiKey, at),
  );
