// Writes docs/openapi.json and the schemas of events from the contract.
import { mkdirSync, writeFileSync } from 'node:fs';
import { openApi } from '../../contract/documentation/openapi.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { EVENT_DETAILS, type EventType, eventJsonSchema } from '../../contract/events.ts';

writeFileSync('docs/openapi.json', `${JSON.stringify(openApi(ENDPOINTS), null, 2)}\n`);

mkdirSync('docs/events/schemas', { recursive: true });
for (const type of Object.keys(EVENT_DETAILS) as EventType[]) {
  writeFileSync(`docs/events/schemas/${type}.json`, `${JSON.stringify(eventJsonSchema(type), null, 2)}\n`);
}
