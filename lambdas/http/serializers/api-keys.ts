import { type ApiKey, statusOf } from '../../core/api-keys/rules.ts';

/** An API key with its status, without the fields that only the store needs. */
export const keyOf = <Key extends ApiKey>(apiKey: Key, now: Date) => {
  const { hash: _hash, rev: _rev, ...key } = apiKey;
  return { ...key, status: statusOf(apiKey, now) };
};
