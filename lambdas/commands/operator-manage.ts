import { operatorManage } from '../../contract/functions/commands.ts';
import { commandHandler } from '../http/command.ts';
import {
  addOperator,
  connectUserPool,
  listOperators,
  removeByAddress,
  resetByAddress,
  updateByAddress,
} from '../store/operators/changes.ts';
import { connectSigningTable } from '../store/signing/kms.ts';

const stores = { table: connectSigningTable(), pool: connectUserPool() };

export const handler = commandHandler(operatorManage, async ({ input, change }) => {
  switch (input.do) {
    case 'add':
      return { invited: await addOperator(stores, change, input.email, input.group) };
    case 'reset':
      return { password: await resetByAddress(stores, change, input.email, input.print) };
    case 'disable':
      await updateByAddress(stores, change, input.email, { enabled: false });
      return {};
    case 'remove':
      await removeByAddress(stores, change, input.email);
      return {};
    default:
      return { operators: await listOperators(stores, change.at) };
  }
});
