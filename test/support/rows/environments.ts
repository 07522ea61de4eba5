import { DEFAULT_ENVIRONMENT } from '../../../contract/fields/patterns.ts';
import { setEnvironments } from '../../../lambdas/store/vault/set-environments.ts';
import { type Vault, vaultIn } from '../../../lambdas/store/vault/vault.ts';
import { createVaults } from '../../../lambdas/store/vault-keys/rotation.ts';
import type { VaultKms } from '../../../lambdas/store/vault-keys/rotation-kms.ts';
import { ask } from '../admin.ts';
import { changeAt } from './table.ts';

/** Makes these the environments beside `default`, as an administrator does; returns them. */
export const putEnvironments = async (
  names: readonly string[] = ['staging'],
  more: { readonly critical?: readonly string[] } = {},
) => {
  const { revision } = await ask('environments-list');
  const fields = { environments: [DEFAULT_ENVIRONMENT, ...names], revision, ...more };
  return (await ask('environments-set', fields)).environments;
};

/** Adds environments, as an administrator and the job do; returns their vaults. */
export const addEnvironments = async (
  table: Vault,
  kms: VaultKms,
  names: readonly string[] = ['staging'],
  at?: Date,
): Promise<Vault[]> => {
  await setEnvironments(table, changeAt(at), { environments: [DEFAULT_ENVIRONMENT, ...names] });
  await createVaults(table, kms, at ?? new Date());
  return names.map((name) => vaultIn(table, name));
};
