import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Role } from '../../contract/fields/access.ts';

/** A person who can sign in to the admin site. */
export interface Operator {
  readonly id: string;
  readonly email: string;
}

/** An operator with the state of the account. */
export interface Account extends Operator {
  readonly enabled: boolean;
  /** Whether they have been invited, or their sign-in reset, and have not signed in since. */
  readonly pending: boolean;
}

/** The first start creates an operator of each. */
export const FIRST_ROLES: readonly Role[] = ['admin', 'editor', 'viewer'];

/** The address of the operator of a group whom the first start creates. */
export const operatorOf = (role: Role): string => `${role}@example.com`;

/** The addresses of the operators whom the first start creates. */
export const FIRST_OPERATORS: readonly string[] = FIRST_ROLES.map(operatorOf);

type Row = Record<string, unknown>;

const normalized = (email: string): string => email.trim().toLowerCase();

const toOperator = ({ id, email }: Row): Operator => ({ id: String(id), email: String(email) });

const toAccount = (row: Row): Account => ({
  ...toOperator(row),
  enabled: row.disabled !== 1,
  pending: row.pending === 1,
});

const SELECT = 'SELECT * FROM operators LEFT JOIN operator_states USING (id)';

const statementsOn = (database: DatabaseSync) => ({
  all: database.prepare(`${SELECT} ORDER BY email`),
  one: database.prepare(`${SELECT} WHERE id = ? OR email = ?`),
  upsert: database.prepare(`
    INSERT INTO operators (id, email) VALUES (?, ?)
    ON CONFLICT (email) DO UPDATE SET email = excluded.email
    RETURNING *`),
  remove: database.prepare('DELETE FROM operators WHERE id = ?'),
  disable: database.prepare(`
    INSERT INTO operator_states (id, disabled) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET disabled = excluded.disabled`),
  pend: database.prepare(`
    INSERT INTO operator_states (id, pending) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET pending = excluded.pending`),
  signOut: database.prepare("DELETE FROM artifacts WHERE json_extract(payload, '$.accountId') = ?"),
});

export const operatorsIn = (database: DatabaseSync) => {
  const statements = statementsOn(database);
  const rowOf = (name: string): Row | undefined => statements.one.get(name, normalized(name));
  const add = (email: string): Operator => {
    const row = statements.upsert.get(randomUUID(), normalized(email));
    if (row === undefined) throw new Error('The operator was not stored.');
    return toOperator(row);
  };
  return {
    /** Adds an operator. An existing operator with this e-mail address keeps its id. */
    add,
    /** The account with this id or e-mail address. */
    account: (name: string) => {
      const row = rowOf(name);
      return row && toAccount(row);
    },
    all: () => statements.all.all().map(toAccount),
    /** The operator with this id, unless disabled. */
    find: (id: string) => {
      const row = rowOf(id);
      return row && row.disabled !== 1 ? toOperator(row) : undefined;
    },
    remove: (id: string) => void statements.remove.run(id),
    setEnabled: (id: string, enabled: boolean) => void statements.disable.run(id, enabled ? 0 : 1),
    setPending: (id: string, pending: boolean) => void statements.pend.run(id, pending ? 1 : 0),
    /** Revokes sessions and refresh tokens. */
    endSessions: (id: string) => void statements.signOut.run(id),
  };
};

export type Operators = ReturnType<typeof operatorsIn>;
