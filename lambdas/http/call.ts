import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Admitted } from '../core/api-keys/rules.ts';
import type { Operator } from '../core/operators.ts';
import type { Change } from '../store/audit.ts';
import type { Table } from '../store/table.ts';
import type { Vault } from '../store/vault/vault.ts';

/** The validated input of an endpoint. */
export interface Input<E extends Endpoint> {
  readonly params: z.output<E['params']>;
  readonly query: z.output<E['query']>;
  readonly body: z.output<E['body']>;
}

export interface Facts {
  readonly at: Date;
  readonly requestId: string;
  /** Address of the caller as seen by the gateway, never from a header. */
  readonly sourceIp: string;
  /** At most 256 bytes of the caller's `User-Agent`. */
  readonly userAgent: string;
}

/** A call with an API key whose record is still being read. */
export interface KeyCall<E extends Endpoint> extends Input<E>, Facts {
  readonly admitted: Admitted;
}

export interface OperatorCall<E extends Endpoint> extends Input<E> {
  readonly at: Date;
  readonly operator: Operator;
  /** When they entered their password or came from the company, in seconds since the epoch. */
  readonly signedInAt: number;
  readonly change: Change;
  readonly table: Table;
  /** Of the `environment` in the body or query, or of `default`. */
  readonly vault: Vault;
}

/** The context of a call. */
export interface CallContext extends Context {
  /** Headers of the reply, whatever it is. */
  headers?: Readonly<Record<string, string>>;
}

export type HttpEvent = APIGatewayProxyEventV2;
export type HttpReply = APIGatewayProxyStructuredResultV2;
