import { audienceOf } from '../../../contract/issuers.ts';
import { type ApiKey, statusOf } from '../../core/api-keys/rules.ts';
import type { Table } from '../../store/table.ts';

/** An API key or a trust with its status, without the fields that only the store needs. */
export const shownKey = <Key extends ApiKey>({ settings }: Table, apiKey: Key, now: Date) => {
  const { hash: _hash, rev: _rev, ...key } = apiKey;
  const status = statusOf(apiKey, now);
  return key.issuer === undefined
    ? { ...key, kind: 'key' as const, status }
    : { ...key, kind: 'trust' as const, status, audience: audienceOf(settings.stage, key.keyId) };
};
