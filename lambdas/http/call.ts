import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { ApiKey } from '../core/api-keys/rules.ts';
import type { Change } from '../store/audit.ts';

/** The input of an endpoint: the validated body and facts of the request. */
export interface Call<Body> {
  readonly body: Body;
  readonly at: Date;
  readonly requestId: string;
  /** Address of the caller as seen by the gateway, never from a header. */
  readonly sourceIp: string;
  /** At most 256 bytes of the caller's `User-Agent`. */
  readonly userAgent: string;
}

/** A call with an API key whose record is still being read. */
export interface KeyCall<Params, Query, Body> extends Call<Body> {
  readonly params: Params;
  readonly query: Query;
  /**
   * Awaits the key's record, then what was started in parallel. A refusal of the key takes precedence over any failure
   * of the latter. Errors: `unauthenticated`, `forbidden`, `address_not_allowed`, and those of `begun`.
   */
  readonly admitted: <T>(begun: Promise<T>) => Promise<[ApiKey, T]>;
}

/** A call by an authorized operator. */
export interface OperatorCall<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly at: Date;
  /** Who makes the change, for the audit log. */
  readonly change: Change;
}

export type HttpEvent = APIGatewayProxyEventV2;
export type HttpReply = APIGatewayProxyStructuredResultV2;
