import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Cost of a hash; 32 MB of memory. Source: OWASP Password Storage Cheat Sheet, scrypt, second of its equal settings. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const MAX_MEMORY = 64 * 1024 * 1024;
const BYTES = 32;

const scryptKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  scryptKey(password.normalize('NFKC'), salt, BYTES, { ...COST, maxmem: MAX_MEMORY });

/** The stored form of a password: salt and scrypt hash. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16);
  return `${salt.toString('base64url')}.${(await derive(password, salt)).toString('base64url')}`;
};

/** Whether the password matches the hash. Without a hash it takes the same time and is false. */
export const isPassword = async (password: string, hash: string | undefined): Promise<boolean> => {
  const [salt = '', expected = ''] = hash?.split('.') ?? [];
  const derived = await derive(password, Buffer.from(salt, 'base64url'));
  const wanted = Buffer.from(expected, 'base64url');
  return wanted.length === BYTES && timingSafeEqual(derived, wanted);
};
