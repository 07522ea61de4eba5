// npm run protect [-- --stage prod]: puts back the policies of the table, the keys and the buckets.
import { runWithArguments } from './command.ts';
import { isChanged, protectingPolicies, putBack } from './policies.ts';
import { requireStack } from './stack.ts';

const USAGE = `Usage: npm run protect [-- --stage prod] [--check]

Compares the policies that are attached to the table, the KMS keys and the buckets with those of the deployed template,
and puts back what differs. A deployment does not: CloudFormation only changes what the template changes.

  --stage NAME   the deployment; without it, prod
  --check        only compare; exit status 1 if one differs`;

const OPTIONS = {
  stage: { type: 'string', default: 'prod' },
  check: { type: 'boolean', default: false },
} as const;

await runWithArguments({ usage: USAGE, options: OPTIONS }, async ({ values }) => {
  const lines: string[] = [];
  for (const policy of await protectingPolicies(await requireStack(values.stage))) {
    const changed = await isChanged(policy);
    if (changed && !values.check) await putBack(policy);
    if (changed && values.check) process.exitCode = 1;
    lines.push(`${policy.id}: ${changed ? (values.check ? 'differs' : 'put back') : 'as declared'}`);
  }
  return lines.join('\n');
});
