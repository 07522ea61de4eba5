import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { ApiKey } from '../core/api-keys/rules.ts';
import type { Change } from '../store/audit.ts';

/** What an endpoint is given: the checked body and the facts of the request. */
export interface Call<Body> {
  readonly body: Body;
  readonly at: Date;
  readonly requestId: string;
  /** Address of the caller as the gateway saw it, never from a header. */
  readonly sourceIp: string;
  /** At most 256 bytes of what the caller calls itself. */
  readonly userAgent: string;
}

/** A call that bears an API key; the key's record is still being read. */
export interface KeyCall<Body> extends Call<Body> {
  /**
   * Awaits the key's record, then what was begun beside it. Whatever became of the latter, a refusal of the key comes
   * first. Errors: `unauthenticated`, `forbidden`, `address_not_allowed`, and those of `begun`.
   */
  readonly admitted: <T>(begun: Promise<T>) => Promise<[ApiKey, T]>;
}

/** A call by an operator who may make it. */
export interface OperatorCall<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly at: Date;
  /** Who changes what the call changes. */
  readonly change: Change;
}

export type HttpEvent = APIGatewayProxyEventV2;
export type HttpReply = APIGatewayProxyStructuredResultV2;
