import { createPrompts, type Prompts } from './prompts.ts';
import { createSecrets, type OfflineCopy, type Secrets, type Warning } from './secrets.ts';
import { notNegative, whole } from './settings.ts';
import { createTransport, type TransportOptions } from './transport.ts';

export interface CacheOptions {
  /** Milliseconds that the latest version and labels stay young; exact versions stay so for ever. @default 60000 */
  readonly latestMs?: number | undefined;
  /** Milliseconds that secrets are kept in memory. @default 0, not at all */
  readonly secretsMs?: number | undefined;
  /** Copies of prompts, and of answers with secrets, that are kept at most. @default 500 */
  readonly maxEntries?: number | undefined;
}

export interface CuevaultOptions extends TransportOptions {
  /** `false`: every call asks the service, and none is shared. */
  readonly cache?: CacheOptions | false | undefined;
  /** Keeps secrets for the time when the service cannot answer; see `cuevault/offline`. @default none */
  readonly offline?: OfflineCopy | undefined;
  /** Told when copies of secrets are used, or could not be written. The client itself never logs. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /** Handed each refresh in the background, for runtimes that end with the request (Workers: `ctx.waitUntil`). */
  readonly waitUntil?: ((refresh: Promise<unknown>) => void) | undefined;
}

const boundsOf = ({ latestMs = 60_000, secretsMs = 0, maxEntries = 500 }: CacheOptions) => ({
  latestMs: notNegative('cache.latestMs', latestMs),
  secretsMs: notNegative('cache.secretsMs', secretsMs),
  maxEntries: whole('cache.maxEntries', maxEntries, 1),
});

/** A client of one service with one API key. Make one and keep it: the cache lives in it. */
export class Cuevault {
  readonly prompts: Prompts;
  readonly secrets: Secrets;

  /** Errors: CuevaultError `configuration` for an address, an API key or a number that cannot work. */
  constructor(options: CuevaultOptions = {}) {
    const transport = createTransport(options);
    const { offline, onWarning, waitUntil } = options;
    const { latestMs, secretsMs, maxEntries } = boundsOf(options.cache || {});
    const bound = options.cache === false ? undefined : maxEntries;
    this.prompts = createPrompts(transport, { latestMs, maxEntries: bound, waitUntil });
    this.secrets = createSecrets(transport, { secretsMs, maxEntries: bound, offline, onWarning });
  }
}
