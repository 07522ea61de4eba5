import { DatabaseSync } from 'node:sqlite';
import { ensurePrivate } from './private-file.ts';

/** Result code of SQLite (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5;

/** Keeps locks from being garbage-collected, which would release them. */
const held = new Set<DatabaseSync>();

/**
 * Takes SQLite's exclusive lock of a file, waiting at most the given number of milliseconds. The operating system
 * releases it when the process ends, however it ends, so no stale lock remains. Nothing else in this process may open
 * the file: closing it would release the lock. Returns a function that releases the lock, or undefined if another
 * process holds it.
 */
export const lockFile = (file: string, waitMs: number): (() => void) | undefined => {
  ensurePrivate(file);
  const database = new DatabaseSync(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${waitMs}`);
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
