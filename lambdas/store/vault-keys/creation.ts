import { auditChange, type Change, stamp } from '../audit.ts';
import { putSigned } from '../signing/writes.ts';
import type { Write } from '../transactions.ts';
import { ENVIRONMENTS, newEnvironment, readEnvironments } from '../vault/environments.ts';
import { VAULT_HEAD, type VaultHead } from '../vault/head.ts';
import { addPage, newPage } from '../vault/page-writes.ts';
import type { Vault } from '../vault/vault.ts';
import { VAULT_KEY_PAIR, type VaultKeyPair } from './key-pairs.ts';

/** Writes a vault without secrets, whose key pairs these are, unless it exists. `further` is more of its head. */
export const emptyVault = async (
  vault: Vault,
  change: Change,
  pairs: readonly VaultKeyPair[],
  further: Partial<VaultHead> = {},
) => {
  const { environment } = vault;
  const keyVersion = Math.max(...pairs.map((pair) => pair.keyVersion));
  const page = newPage({ prefix: '', entries: [] }, keyVersion);
  const head = {
    environment,
    revision: 1,
    keyVersion,
    pages: [page.ref],
    count: 0,
    bytes: 0,
    highest: 0,
    reservedUpTo: 0,
    ...stamp(change, 'changed'),
    ...further,
  };
  const entry = {
    action: 'vault.create',
    subject: 'vault',
    name: 'vault',
    environment,
    revision: head.revision,
  };
  return [
    await putSigned(vault, VAULT_HEAD, head),
    ...(await Promise.all(pairs.map((pair) => putSigned(vault, VAULT_KEY_PAIR, pair)))),
    addPage(vault, page),
    auditChange(vault, change, entry),
  ];
};

/** Removes the mark of a new environment; nothing if it has none. With `add`, an unknown environment is added. */
export const unmarkNew = async (vault: Vault, { add = false } = {}): Promise<Write[]> => {
  const { revision, environments } = await readEnvironments(vault);
  const found = environments.find(({ name }) => name === vault.environment);
  if (found === undefined ? !add : found.state !== 'new') return [];
  const { state: _, ...unmarked } = found ?? newEnvironment(vault.environment);
  const created = found
    ? environments.map((each) => (each === found ? unmarked : each))
    : [...environments, unmarked];
  const next = { revision: revision + 1, environments: created };
  return [await putSigned(vault, ENVIRONMENTS, next, { revision }, 'list of environments')];
};
