import { promptsFind } from '../../../contract/endpoints/prompts.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectTable } from '../../store/connect.ts';
import { findSources } from '../../store/views/prompt-rows.ts';

const table = connectTable();

export const handler = operatorEndpoint(promptsFind, table, ({ body }) => findSources(table, body));
