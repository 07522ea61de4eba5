import { crc32 } from 'node:zlib';
import type { ApiKeyInput } from '../../../lambdas/core/api-keys/limits.ts';
import { toBase62 } from '../../../lambdas/core/identifiers.ts';
import { createApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { changeAt } from './table.ts';

export type KeyInput = Partial<ApiKeyInput> & { readonly at?: Date };

/** Creates an API key, now and for all prompts and secrets, unless the input says otherwise. */
export const newApiKey = async (table: Table, { at, ...input }: KeyInput = {}) => {
  const wanted = { name: 'test key', permissions: ['prompts', 'secrets'], ...input } as const;
  const { apiKey, record } = await createApiKey(table, changeAt(at), wanted);
  return { apiKey, keyId: record.keyId, record };
};

/** A well-formed key with a valid checksum and the id of another key. */
export const withWrongSecret = (keyId: string): string => {
  const body = `cue_${keyId}_${'x'.repeat(32)}`;
  return body + toBase62(BigInt(crc32(body)), 6);
};
