// npm run policies: writes docs/policies.md from the synthesized template.
import { writeFileSync } from 'node:fs';
import { policyTable } from './policy-table.ts';

writeFileSync('docs/policies.md', policyTable());
