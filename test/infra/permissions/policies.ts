// npm run policies: writes docs/contributing/policies.md from the synthesized template.
import { writeFileSync } from 'node:fs';
import { policyTable } from './policy-table.ts';

writeFileSync('docs/contributing/policies.md', policyTable());
