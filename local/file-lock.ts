import { DatabaseSync } from 'node:sqlite';

/** Result code of SQLite (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5;

/** Keeps locks from the garbage collector, which would let them go. */
const held = new Set<DatabaseSync>();

/**
 * Takes SQLite's exclusive lock of a file, waiting at most so many milliseconds for it. The system holds it for the
 * process and lets it go however the process ends, so none is ever left behind and of two that ask at once one gets
 * it. Nothing else in this process may open the file: closing it again would drop the lock.
 * Returns what lets it go; undefined where another process has it.
 */
export const lockFile = (file: string, waitMs: number): (() => void) | undefined => {
  const database = new DatabaseSync(file, { timeout: waitMs });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  held.add(database);
  return () => {
    held.delete(database);
    database.close();
  };
};
