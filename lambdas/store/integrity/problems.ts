import type { StreamRecord } from '../stream.ts';
import type { Table } from '../table.ts';

/** What a record of the stream reveals about its row: a change that Cuevault does not make. */
export interface Problem {
  /** One sentence. */
  readonly problem: string;
  /** Further facts for the audit entry, never a secret value. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A rule of integrity: what is wrong with a record, if anything. Errors: `unavailable`. */
export type IntegrityCheck = (table: Table, record: StreamRecord) => Promise<Problem | undefined>;
