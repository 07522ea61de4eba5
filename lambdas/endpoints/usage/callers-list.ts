import { callersList } from '../../../contract/endpoints/usage/callers-list.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectTable } from '../../store/table.ts';
import { callersOf } from '../../store/views/prompt-callers.ts';

const table = connectTable();

/** Returns which API keys fetch a prompt, and what they ask for. */
export const handler = operatorEndpoint(callersList, async ({ params: { promptId }, at }) =>
  callersOf(table, promptId, at),
);
