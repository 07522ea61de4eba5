import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { hashPassword, isPassword } from './passwords.ts';

/** A person who can sign in to the admin site. */
export interface Operator {
  readonly id: string;
  readonly email: string;
  readonly groups: readonly string[];
}

export interface NewOperator {
  readonly email: string;
  readonly password: string;
  readonly groups: readonly string[];
}

export interface Operators {
  /** Adds an operator. An existing operator with this e-mail address keeps its id and gets the password and groups. */
  readonly add: (operator: NewOperator) => Promise<Operator>;
  readonly find: (id: string) => Operator | undefined;
  /** The operator with this e-mail address, if the password is right. */
  readonly verify: (email: string, password: string) => Promise<Operator | undefined>;
}

type Row = Record<string, unknown>;

const normalized = (email: string): string => email.trim().toLowerCase();

const toOperator = ({ id, email, groups }: Row): Operator => ({
  id: String(id),
  email: String(email),
  groups: JSON.parse(String(groups)) as string[],
});

/** The operators in the database. */
export const operatorsIn = (database: DatabaseSync): Operators => {
  const byId = database.prepare('SELECT * FROM operators WHERE id = ?');
  const byEmail = database.prepare('SELECT * FROM operators WHERE email = ?');
  const upsert = database.prepare(`
    INSERT INTO operators (id, email, password, groups) VALUES (?, ?, ?, ?)
    ON CONFLICT (email) DO UPDATE SET password = excluded.password, groups = excluded.groups
    RETURNING *`);
  return {
    add: async ({ email, password, groups }) => {
      const hash = await hashPassword(password);
      const row = upsert.get(randomUUID(), normalized(email), hash, JSON.stringify(groups));
      if (row === undefined) throw new Error('The operator was not stored.');
      return toOperator(row);
    },
    find: (id) => {
      const row = byId.get(id);
      return row === undefined ? undefined : toOperator(row);
    },
    verify: async (email, password) => {
      const row = byEmail.get(normalized(email));
      const right = await isPassword(password, row === undefined ? undefined : String(row.password));
      return right && row !== undefined ? toOperator(row) : undefined;
    },
  };
};
