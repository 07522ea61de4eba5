import { INDEX_PARTITIONS, PARTITIONS, RESTORED } from '../../../contract/table.ts';
import { evaluate, type Statement as PolicyStatement } from '../../support/iam/policies.ts';
import { actionsOf, addressed, attribute, joined, OPERATIONS, type Statement, synthesize } from '../stack.ts';

const stack = synthesize();
const ids = OPERATIONS.map(({ id }) => id);
const TABLE_ARN = attribute('Table');
const INDEX_ARN = joined(TABLE_ARN, '/index/gsi1');

const isCopy = (resource: unknown): boolean => JSON.stringify(resource).includes(RESTORED);

/** The statements of each function, one for each resource, without those about copies of the table. */
const STATEMENTS = new Map(
  ids.map((id) => [
    id,
    stack.functionOf(id).statements.flatMap(({ Resource, ...statement }) =>
      [Resource]
        .flat()
        .filter((resource) => !isCopy(resource))
        .map((resource): Statement => ({ ...statement, Resource: resource })),
    ),
  ]),
);
const statementsOf = (id: string): readonly Statement[] => STATEMENTS.get(id) ?? [];

const actionsOn = (service: string, operationId: string): string[] =>
  statementsOf(operationId)
    .flatMap(actionsOf)
    .filter((action) => action.startsWith(`${service}:`))
    .sort();

const isOn =
  (arn: unknown) =>
  ({ Resource }: Statement): boolean =>
    JSON.stringify(Resource) === JSON.stringify(arn);

test('only functions that write to the table can sign, and the one that revokes API keys cannot', () => {
  const signers = ids.filter((id) => actionsOn('kms', id).includes('kms:Sign'));
  const writers = ids.filter((id) =>
    actionsOn('dynamodb', id).some((action) => /(Put|Update)Item/.test(action)),
  );
  expect(signers.filter((id) => !writers.includes(id))).toEqual([]);
  expect(signers).not.toContain('keys-revoke');
});

/** What a function itself may do. Lambda reads the stream on its behalf (`../functions/consumers.test.ts`). */
const ownStatements = (id: string): Statement[] =>
  statementsOf(id).filter((statement) => !/Stream|^s3:/.test(actionsOf(statement)[0] ?? ''));

describe('every function', () => {
  test.each(ids)('%s has no wildcard actions and never scans', (id) => {
    const actions = statementsOf(id).flatMap(actionsOf);
    expect(actions.filter((action) => /[*?]|Scan|PartiQL/.test(action))).toEqual([]);
  });

  test.each(ids)('%s writes to its own log, and does nothing else with a log', (id) => {
    const log = attribute(expect.stringMatching(new RegExp(`^${id.replaceAll('-', '')}Log`)));
    const onLogs = statementsOf(id).filter((each) => String(actionsOf(each)[0]).startsWith('logs:'));
    expect(onLogs.map(({ Resource }) => Resource)).toEqual(onLogs.map(() => log));
    expect(actionsOn('logs', id)).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
  });

  test.each(ids)(
    '%s can access the table only by explicit leading keys, each action by one statement',
    (id) => {
      const onTable = ownStatements(id).filter((s) => actionsOf(s)[0]?.startsWith('dynamodb:'));
      for (const effect of ['Allow', 'Deny']) {
        const own = onTable.filter((each) => each.Effect === effect && isOn(TABLE_ARN)(each));
        const actions = own.flatMap(actionsOf);
        expect(actions).toEqual([...new Set(actions)]);
      }
      for (const { Effect, Action, Resource, Condition } of onTable) {
        const isQuery = Action === 'dynamodb:Query' && isOn(TABLE_ARN)({ Resource } as Statement);
        const named = Effect === 'Deny' || isQuery;
        expect(Condition?.Null).toEqual(named ? { 'dynamodb:LeadingKeys': 'false' } : undefined);
        expect(Object.keys(Condition ?? {})).toHaveLength(named ? 2 : 1);
        const patterns = [Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? []].flat();
        expect(patterns).not.toEqual([]);
        for (const pattern of patterns) expect(pattern).toMatch(/^[A-Z-]+(#\*)?$/);
      }
    },
  );
});

// AWS does not document what `dynamodb:LeadingKeys` holds in a transaction, nor whether a query of an index has it.
describe('whatever a call tells the policy about its keys,', () => {
  const CHANGES = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'];
  const keyIn = (start: string): string => (start.endsWith('#') ? `${start}1` : start);

  const isAllowed = (
    id: string,
    arn: unknown,
    action: string,
    keys: readonly string[] | undefined,
  ): boolean => {
    const statements = statementsOf(id).filter(isOn(arn));
    const context: Record<string, readonly string[]> =
      keys === undefined ? {} : { 'dynamodb:LeadingKeys': keys };
    const request = { action: `dynamodb:${action}`, resource: 'table', context };
    const policy = statements.map((each) => ({ ...each, Resource: '*' })) as PolicyStatement[];
    return evaluate(policy, request) === 'allowed';
  };

  test.each(OPERATIONS)('$id can make its changes in one transaction', ({ id, grants }) => {
    const parts = grants.flatMap((grant) =>
      grant.on === 'table'
        ? grant.actions
            .filter((action) => CHANGES.includes(action))
            .flatMap((action) => grant.partitions.map((each) => ({ action, key: keyIn(PARTITIONS[each]) })))
        : [],
    );
    const all = parts.map(({ key }) => key);
    for (const { action, key } of parts)
      for (const keys of [[key], all, undefined])
        expect([action, keys, isAllowed(id, TABLE_ARN, action, keys)]).toEqual([action, keys, true]);
    for (const action of CHANGES) expect(isAllowed(id, TABLE_ARN, action, ['OTHER#1'])).toBe(false);
  });

  const listing = OPERATIONS.map(({ id, grants }) => ({
    id,
    lists: grants.flatMap((grant) => (grant.on === 'index' ? grant.partitions : [])),
  }));

  test.each(listing.filter(({ lists }) => lists.length > 0))(
    '$id can query its lists in the index',
    ({ id, lists }) => {
      for (const list of lists)
        for (const keys of [[INDEX_PARTITIONS[list]], undefined])
          expect(isAllowed(id, INDEX_ARN, 'Query', keys)).toBe(true);
      expect(isAllowed(id, INDEX_ARN, 'Query', ['OTHER'])).toBe(false);
    },
  );
});

test('models can be asked by one function alone: those of the setting, and of a profile only through it', () => {
  const asking = (template: typeof stack) =>
    OPERATIONS.flatMap(({ id }) =>
      template
        .functionOf(id)
        .statements.filter((statement) =>
          actionsOf(statement).some((action) => action.startsWith('bedrock:')),
        )
        .map((statement) => ({ id, ...statement })),
    );
  expect(asking(stack)).toEqual([]);
  const resolved = JSON.parse(
    JSON.stringify(asking(addressed())).replaceAll(/\{"Fn::Join":\["",\[(.*?)\]\]\}/g, (_, parts: string) =>
      JSON.stringify(
        (JSON.parse(`[${parts}]`) as unknown[])
          .map((part) => (typeof part === 'string' ? part : '*'))
          .join(''),
      ),
    ),
  );
  const allow = { id: 'prompts-try', Action: 'bedrock:InvokeModel', Effect: 'Allow' };
  const model = (region: string, name: string) => `arn:*:bedrock:${region}::foundation-model/${name}`;
  const profile = 'arn:*:bedrock:*:*:inference-profile/eu.amazon.nova-pro-v1:0';
  expect(resolved).toEqual([
    { ...allow, Resource: [profile, model('*', 'amazon.nova-lite-v1:0')] },
    {
      ...allow,
      Resource: ['eu-central-1', 'eu-west-1'].map((region) => model(region, 'amazon.nova-pro-v1:0')),
      Condition: { StringEquals: { 'bedrock:InferenceProfileArn': profile } },
    },
  ]);
});
