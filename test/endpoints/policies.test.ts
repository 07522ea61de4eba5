import { readFileSync } from 'node:fs';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { COMMANDS } from '../../contract/functions/commands.ts';
import { CONSUMERS } from '../../contract/functions/consumers.ts';
import type { Grant } from '../../contract/functions/grants.ts';
import { JOBS } from '../../contract/functions/jobs.ts';
import { INDEX_PARTITIONS, leadingKeyPattern, PARTITIONS } from '../../contract/table.ts';
import { KEY_ARNS } from '../../local/aws/account.ts';
import type { AwsCall } from '../../local/aws/services.ts';
import type { Statement } from '../../local/iam/policies.ts';
import { requestsOf } from '../../local/iam/requests.ts';
import { assemble } from '../../local/template/assembly.ts';
import { readTemplate } from '../../local/template/template.ts';
import { createFaults, createLostRaces, isOn } from '../support/aws/faults.ts';
import { openInstance, type TestInstance } from '../support/instance.ts';
import { oneOfEach } from '../support/sampled.ts';
import { SCENARIOS, type Scenario } from '../support/scenarios/scenarios.ts';

const template = readTemplate(JSON.parse(readFileSync(assemble().template, 'utf8')), {
  arns: KEY_ARNS,
  publicKey: '',
});
const operations = [...ENDPOINTS, ...JOBS, ...COMMANDS, ...CONSUMERS].filter(
  ({ grants }) => grants.length > 0,
);

const used = new Map<string, Set<string>>();
const note = ({ operationId, target, body }: AwsCall): undefined => {
  if (operationId === undefined) return;
  const seen = used.get(operationId) ?? new Set();
  used.set(operationId, seen);
  for (const { action, context } of requestsOf(target, body, KEY_ARNS.VaultKey)) {
    const keys = context['dynamodb:LeadingKeys'];
    for (const key of keys === undefined ? ['key'] : [keys].flat()) seen.add(`${action} ${key}`);
  }
};

const rowsOf = (grant: Grant): [string, string][] => {
  if (grant.on === 'vault-key' || grant.on === 'signing-key')
    return grant.actions.map((action) => [`kms:${action}`, 'key']);
  if (grant.on === 'sealed-log') return grant.actions.map((action) => [`s3:${action}`, 'key']);
  if (grant.on === 'event-bus') return grant.actions.map((action) => [`events:${action}`, 'key']);
  if (grant.on === 'user-pool') return grant.actions.map((action) => [`cognito-idp:${action}`, 'key']);
  if (grant.on === 'metrics') return grant.actions.map((action) => [`cloudwatch:${action}`, 'key']);
  if (grant.on === 'job') return grant.actions.map((action) => [`lambda:${action}`, 'key']);
  if (grant.on === 'index') {
    return grant.partitions.map((name) => ['dynamodb:Query', INDEX_PARTITIONS[name]]);
  }
  return grant.actions.flatMap((action) =>
    grant.partitions.map((name): [string, string] => [
      `dynamodb:${action}`,
      leadingKeyPattern(PARTITIONS[name]),
    ]),
  );
};

const covers = (pattern: string, key: string): boolean =>
  pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) : key === pattern;

const isUsed = (operationId: string, [action, pattern]: [string, string]): boolean =>
  [...(used.get(operationId) ?? [])].some((entry) => {
    const [name = '', key = ''] = entry.split(' ');
    return name === action && covers(pattern, key);
  });

// Calls that happen only after a conflict or a throttled write need grants too.
const races = createLostRaces();
const throttled = new Set<string>();
const throttles = createFaults();
throttles.set((call) => {
  const isEntry = [PARTITIONS.access, PARTITIONS.auditRead].some((start) => isOn('PutItem', start)(call));
  if (!isEntry || call.operationId === undefined || throttled.has(call.operationId)) return false;
  throttled.add(call.operationId);
  return true;
});
let instance: TestInstance;
beforeAll(async () => {
  instance = await openInstance({
    // What the first start does needs grants, too.
    isFirstStart: true,
    hooks: {
      intercept: (call) => {
        note(call);
        return throttles.intercept(call) ?? races.intercept(call);
      },
    },
  });
});
afterAll(() => instance.stop());

test('every function that has grants has a scenario, and no other', () => {
  expect(Object.keys(SCENARIOS).sort()).toEqual(operations.map(({ id }) => id).sort());
});

const scenarioOf = (id: string): Scenario =>
  SCENARIOS[id] ?? (() => Promise.reject(new Error(`There is no scenario for ${id}.`)));

describe.each(operations)('$id', ({ id, grants }) => {
  const scenario = scenarioOf(id);

  test('its policy covers everything that it does', async () => {
    races.lose(1);
    await scenario(instance);
    races.lose(0);
    // Lines of another function may arrive late.
    const denied = instance.logs.filter((line) => line.includes(`(function ${id}) is not authorized`));
    expect(denied).toEqual([]);
  });

  test('it needs each of its grants', () => {
    const unused = grants.flatMap(rowsOf).filter((row) => !isUsed(id, row));
    expect(unused).toEqual([]);
  });
});

const statementsOf = (id: string): readonly Statement[] =>
  template.functions.find(({ operationId }) => operationId === id)?.statements ?? [];

// Lambda reads the stream with the function's role before it invokes the function.
const isOfFunction = ({ Action }: Statement): boolean =>
  !/^(logs|s3):|Stream|GetRecords|GetShardIterator/.test(String([Action].flat()[0]));

const withheld = operations.flatMap(({ id }) =>
  statementsOf(id)
    .filter(isOfFunction)
    .map((statement) => ({ id, statement, action: String(statement.Action) })),
);

// The tests above prove that each grant is needed; this one, that a function reports a denial.
test.each(oneOfEach(withheld, ({ action }) => action))(
  '$id fails without its statement $action',
  async ({ id, statement }) => {
    const statements = statementsOf(id);
    instance.aws.setStatements(
      id,
      statements.filter((other) => other !== statement),
    );
    try {
      await expect(scenarioOf(id)(instance)).rejects.toThrow();
    } finally {
      instance.aws.setStatements(id, statements);
    }
    instance.logs.length = 0;
  },
);
