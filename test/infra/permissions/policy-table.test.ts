import { readFileSync } from 'node:fs';
import { policyTable } from './policy-table.ts';

// The formatter pads the cells of a table and writes emphasis its own way.
const cellsOf = (text: string): string =>
  text
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/-{3,}/g, '---')
    .replaceAll('_keys_', '*keys*');

test('docs/contributing/policies.md says what the synthesized template grants', () => {
  const page = readFileSync(new URL('../../../docs/contributing/policies.md', import.meta.url), 'utf8');
  expect(cellsOf(page)).toBe(cellsOf(policyTable()));
});
