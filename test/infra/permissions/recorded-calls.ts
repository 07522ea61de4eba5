// npm run check:calls, the last part of npm test: evaluates the calls that functions have made in the tests against the
// synthesized policies of roles, table, keys and buckets. With --complete, also each grant of the contract must have been
// used, and each function must have the environment that the stack gives it.
import { existsSync, readFileSync } from 'node:fs';
import { judge } from '../../../local/functions/accesses.ts';
import { FUNCTIONS, PERMISSIONS } from '../../../local/functions/functions.ts';
import { environmentOf } from '../../../local/functions/grants.ts';
import { MARK } from '../../../scripts/processes.ts';
import { denialOf } from '../../support/iam/guard.ts';
import { type RecordedCall, recordedCalls } from '../../support/iam/recorder.ts';
import { withResources } from '../../support/iam/requests.ts';
import { synthesize } from '../stack.ts';
import { readTemplate } from './resolved.ts';

const verifying = {
  publicKey: 'cHVibGlj',
  tokens: { issuer: '', audience: '', companyAudience: 'company', keysAt: '' },
};
const { functions, resourcePolicies } = readTemplate(synthesize({ stage: 'local' }));
const file = recordedCalls(process.env[MARK] ?? '');
const calls = (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []).map(
  (line) => JSON.parse(line) as RecordedCall,
);

const problems: string[] = [];
const used = new Map(FUNCTIONS.map(({ id }) => [id, new Set<string>()]));

const environments = FUNCTIONS.map((fn) => {
  const deployed = functions.find(({ operationId }) => operationId === fn.id);
  return { id: fn.id, deployed, local: environmentOf(fn, verifying) };
});

for (const { id, deployed, local } of environments) {
  const [one, other] = [deployed?.environment ?? {}, local].map((each) => Object.keys(each).sort().join());
  if (one !== other) problems.push(`${id} has the variables ${one}, and locally ${other}.`);
}

for (const { operationId, target, body } of calls) {
  const { deployed, local = {} } = environments.find(({ id }) => id === operationId) ?? {};
  const sent = withResources(body, local, deployed?.environment ?? {});
  const denial = deployed && denialOf(deployed, resourcePolicies, target, sent);
  if (denial !== undefined) problems.push(denial);
  const judged = judge(PERMISSIONS[operationId] ?? {}, target, body);
  if ('used' in judged) for (const grant of judged.used) used.get(operationId)?.add(grant);
}

if (process.argv.includes('--complete')) {
  if (calls.length === 0) problems.push('No call was recorded.');
  for (const [id, permissions] of Object.entries(PERMISSIONS)) {
    const granted = Object.entries(permissions).flatMap(([action, on]) =>
      on.map((each) => `${action} ${each}`),
    );
    const unused = [...new Set(granted)].filter((grant) => !used.get(id)?.has(grant));
    if (unused.length > 0) problems.push(`No test has made ${id} use its grants ${unused.join(', ')}.`);
  }
}

process.stdout.write([...new Set(problems), `${calls.length} kinds of calls`, ''].join('\n'));
process.exitCode = problems.length === 0 ? 0 : 1;
