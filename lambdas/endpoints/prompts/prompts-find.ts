import { promptsFind } from '../../../contract/endpoints/prompts.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { findSources } from '../../store/views/prompt-rows.ts';

export const handler = readEndpoint(promptsFind, ({ table, body }) => findSources(table, body));
