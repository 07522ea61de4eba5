import { DatabaseSync } from 'node:sqlite';

// The engine locks the file briefly with each write.
const LOCK_MILLISECONDS = 5_000;

// Trims are not flushed to the disk: one that a power failure undoes is repeated, and the engine's own writes are
// flushed as before.
const SETUP = `
  PRAGMA busy_timeout = ${LOCK_MILLISECONDS};
  PRAGMA synchronous = NORMAL;
  CREATE INDEX IF NOT EXISTS _cuevault_stream_order
    ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
  CREATE TABLE IF NOT EXISTS _cuevault_stream_position (
    table_name TEXT PRIMARY KEY, sequence_number TEXT NOT NULL
  );
`;

/**
 * Maintenance of the stream that the embedded engine lacks. Each write scans all records of the stream, and none is
 * ever removed: after 10,000 records, a write takes five times as long. So the engine's file gets an index and is
 * trimmed here. Call it before the stream is enabled.
 */
export const openTrimming = (file: string, table: string) => {
  const database = new DatabaseSync(file);
  database.exec(SETUP);
  const keep = database.prepare(
    'INSERT OR REPLACE INTO _cuevault_stream_position (table_name, sequence_number) VALUES (?, ?)',
  );
  // The engine continues counting from its last record, so that one stays.
  const remove = database.prepare(`
    DELETE FROM _stream_records
    WHERE table_name = ? AND CAST(sequence_number AS INTEGER) <= CAST(? AS INTEGER)
      AND CAST(sequence_number AS INTEGER) <
        (SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?)
  `);
  const read = database.prepare(
    'SELECT sequence_number AS position FROM _cuevault_stream_position WHERE table_name = ?',
  );
  const rowOf = (consumer: string): string => `${table} ${consumer}`;
  return {
    /** The last record that a consumer has consumed, or undefined before the first. */
    positionOf: (consumer: string) => {
      const kept = read.get(rowOf(consumer));
      return kept === undefined ? undefined : String(kept.position);
    },
    /** Stores the positions of the consumers, and removes the records that all have consumed. */
    trim: (positions: ReadonlyMap<string, string | undefined>) => {
      const known = [...positions].filter((each): each is [string, string] => each[1] !== undefined);
      const [first] = known.map(([, position]) => position).sort((one, other) => Number(one) - Number(other));
      if (first === undefined) return;
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const [consumer, position] of known) keep.run(rowOf(consumer), position);
        if (known.length === positions.size) remove.run(table, first, table);
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => database.close(),
  };
};
