import { randomBytes, randomUUID, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

/** Cost of a hash; 32 MB of memory. Source: OWASP Password Storage Cheat Sheet, scrypt, second of its equal settings. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const MAX_MEMORY = 64 * 1024 * 1024;
const BYTES = 32;

const scryptKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  scryptKey(password.normalize('NFKC'), salt, BYTES, { ...COST, maxmem: MAX_MEMORY });

/** The stored form of a password: salt and scrypt hash. */
const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16);
  return `${salt.toString('base64url')}.${(await derive(password, salt)).toString('base64url')}`;
};

/** Whether the password matches the hash. Without a hash it takes the same time and is false. */
const isPassword = async (password: string, hash: string | undefined): Promise<boolean> => {
  const [salt = '', expected = ''] = hash?.split('.') ?? [];
  const derived = await derive(password, Buffer.from(salt, 'base64url'));
  const wanted = Buffer.from(expected, 'base64url');
  return wanted.length === BYTES && timingSafeEqual(derived, wanted);
};

/** A person who can sign in to the admin site. */
export interface Operator {
  readonly id: string;
  readonly email: string;
}

/** An operator with the state of the account. */
export interface Account extends Operator {
  readonly enabled: boolean;
  /** Whether the password is temporary and was not used yet. */
  readonly pending: boolean;
}

/** What an operator signs in with. */
export type Credentials = Readonly<Record<'email' | 'password', string>>;

export interface Operators {
  /** Adds an operator. An existing operator with this e-mail address keeps its id and gets the password. */
  readonly add: (credentials: Credentials) => Promise<Operator>;
  /** The operator with this id, unless disabled. */
  readonly find: (id: string) => Operator | undefined;
  /** The operator with this e-mail address, if the password is right and the operator is not disabled. */
  readonly verify: (email: string, password: string) => Promise<Operator | undefined>;
  readonly all: () => Account[];
  /** The account with this id or e-mail address. */
  readonly account: (name: string) => Account | undefined;
  readonly setEnabled: (id: string, enabled: boolean) => void;
  /** Sets the password of an operator, who is added if there is none with this e-mail address. */
  readonly setTemporaryPassword: (email: string, password: string) => Promise<Operator>;
  readonly remove: (id: string) => void;
  /** Revokes sessions and refresh tokens. */
  readonly endSessions: (id: string) => void;
}

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
    INSERT INTO operators (id, email, password) VALUES (?, ?, ?)
    ON CONFLICT (email) DO UPDATE SET password = excluded.password
    RETURNING *`),
  remove: database.prepare('DELETE FROM operators WHERE id = ?'),
  disable: database.prepare(`
    INSERT INTO operator_states (id, disabled) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET disabled = excluded.disabled`),
  pend: database.prepare(`
    INSERT INTO operator_states (id, pending) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET pending = excluded.pending`),
  signOut: database.prepare("DELETE FROM artifacts WHERE json_extract(payload, '$.accountId') = ?"),
});

export const operatorsIn = (database: DatabaseSync): Operators => {
  const statements = statementsOn(database);
  const rowOf = (name: string): Row | undefined => statements.one.get(name, normalized(name));
  const add = async ({ email, password }: Credentials): Promise<Operator> => {
    const hash = await hashPassword(password);
    const row = statements.upsert.get(randomUUID(), normalized(email), hash);
    if (row === undefined) throw new Error('The operator was not stored.');
    return toOperator(row);
  };
  return {
    add,
    account: (name) => {
      const row = rowOf(name);
      return row && toAccount(row);
    },
    all: () => statements.all.all().map(toAccount),
    find: (id) => {
      const row = rowOf(id);
      return row && row.disabled !== 1 ? toOperator(row) : undefined;
    },
    verify: async (email, password) => {
      const row = rowOf(email);
      const right = await isPassword(password, row && String(row.password));
      if (row === undefined || !right || row.disabled === 1) return undefined;
      const operator = toOperator(row);
      if (row.pending === 1) statements.pend.run(operator.id, 0);
      return operator;
    },
    remove: (id) => void statements.remove.run(id),
    setEnabled: (id, enabled) => void statements.disable.run(id, enabled ? 0 : 1),
    setTemporaryPassword: async (email, password) => {
      const operator = await add({ email, password });
      statements.pend.run(operator.id, 1);
      return operator;
    },
    endSessions: (id) => void statements.signOut.run(id),
  };
};
