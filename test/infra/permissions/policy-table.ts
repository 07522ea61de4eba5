import type { Statement } from '../../support/iam/policies.ts';
import { synthesize } from '../stack.ts';
import { readTemplate } from './resolved.ts';

const LEADING_KEYS = 'dynamodb:LeadingKeys';

const listed = (value: unknown): string =>
  [value]
    .flat()
    .filter((one) => one !== undefined)
    .map((one) => `\`${String(one)}\``)
    .join(', ');

// Region and account are those of the local instance; a function's name ends in a hash.
const resourceOf = (arn: string): string =>
  arn.replace(/^arn:aws:(\w+):[^:]*:[^:]*:/, '$1 ').replace(/Function[0-9A-F]{8}$/, '');

const conditionsOf = ({ Condition = {} }: Statement): string =>
  Object.entries(Condition)
    .flatMap(([operator, tests]) =>
      Object.entries(tests).map(([key, values]) => [`${operator} ${key}`, listed(values)] as const),
    )
    .filter(([test]) => test !== `Null ${LEADING_KEYS}`)
    .map(
      ([test, values]) => `${test === `ForAllValues:StringLike ${LEADING_KEYS}` ? 'keys' : test}: ${values}`,
    )
    .join('; ');

const rowOf = (operationId: string, statement: Statement): string => {
  const resources = [statement.Resource ?? []].flat().map(resourceOf);
  const actions = `${statement.Effect === 'Deny' ? 'denied: ' : ''}${listed(statement.Action)}`;
  const cells = [`\`${operationId}\``, actions, listed(resources), conditionsOf(statement)];
  return `| ${cells.join(' | ')} |`;
};

const HEAD = `# Policies

What the role of each function allows, read from the synthesized template by \`npm run policies\`; a test compares the two.
Nothing else is attached to these roles. The permission of each function to write its own log is left out. *keys* are the partition keys that
a call may name (\`dynamodb:LeadingKeys\`); what is denied is so if a call names keys and all are among these. The KMS key policies deny more: see [security.md](../security.md).

| function | actions | on | limited to |
| --- | --- | --- | --- |
`;

/** The policies of all functions as the page `docs/contributing/policies.md`, before formatting. */
export const policyTable = (): string => {
  const { functions } = readTemplate(synthesize({ stage: 'local' }));
  const rows = functions
    .toSorted((a, b) => (a.operationId < b.operationId ? -1 : 1))
    .flatMap(({ operationId, statements }) =>
      statements
        .filter(({ Action }) => !String([Action].flat()[0]).startsWith('logs:'))
        .map((statement) => rowOf(operationId, statement)),
    );
  return `${HEAD}${rows.join('\n')}\n`;
};
