import { promptsTry } from '../../../contract/endpoints/prompts.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { connectModels, tryPrompt } from '../../store/models/try-prompt.ts';

const models = connectModels();

export const handler = readEndpoint(promptsTry, ({ table, change, body }) =>
  tryPrompt(table, models, change, body),
);
