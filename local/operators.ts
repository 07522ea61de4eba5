import type { Role } from '../contract/endpoint.ts';
import { SYSTEM } from '../lambdas/store/audit.ts';
import { findOperator, writeOperator } from '../lambdas/store/operators/operators.ts';
import type { Table } from '../lambdas/store/table.ts';
import type { Operators } from './identity/operators.ts';

export interface NewOperator {
  readonly email: string;
  readonly password: string;
  /** @default - they can sign in, and may do nothing */
  readonly group?: Role;
}

/** Returns a function that adds an operator, or changes the one with this address, and returns the id. */
export const operatorsOf =
  (operators: Operators, table: Table) =>
  async ({ email, password, group }: NewOperator): Promise<{ readonly id: string }> => {
    const { id } = await operators.add({ email, password });
    const seen = await findOperator(table, id);
    if (group === undefined || (seen?.group === group && seen.status === 'active')) return { id };
    const change = { at: new Date(), actor: SYSTEM, requestId: 'first-run', isAdmin: true };
    const invited = { invitedAt: change.at.toISOString(), invitedBy: change.actor.name };
    const next = { operatorId: id, email, group, status: 'active', identity: 'native', ...invited } as const;
    await writeOperator(table, change, seen, next, { action: 'operator.invite', details: { group } });
    return { id };
  };
