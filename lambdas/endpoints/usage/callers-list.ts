import { callersList } from '../../../contract/endpoints/usage.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { callersOf } from '../../store/views/prompt-callers.ts';

export const handler = readEndpoint(callersList, async ({ table, params: { promptId }, at }) =>
  callersOf(table, promptId, at),
);
