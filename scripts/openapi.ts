// Writes docs/openapi.json from the contract.
import { writeFileSync } from 'node:fs';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { openApi } from '../contract/openapi.ts';

writeFileSync('docs/openapi.json', `${JSON.stringify(openApi(ENDPOINTS), null, 2)}\n`);
