import { ENDPOINTS } from '../../contract/endpoints.ts';
import { ENVIRONMENT } from '../../contract/environment.ts';
import { actionsOf, type FunctionResource, OPERATIONS, synthesize } from './stack.ts';

const stack = synthesize();

const HOLDERS = ['vault-get-secrets', 'vault-rotate'];

// Whoever may do one of these can read secrets, or let somebody else read them.
const OPENING = [
  'kms:Decrypt',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:GenerateDataKeyPair',
  'kms:GenerateDataKeyPairWithoutPlaintext',
  'kms:CreateGrant',
  'kms:PutKeyPolicy',
];

const covers = (pattern: string, action: string): boolean =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => RegExp.escape(part))
      .join('.*')}$`,
    'i',
  ).test(action);

const openingActions = ({ statements }: FunctionResource): string[] => {
  const allowed = statements.filter(({ Effect }) => Effect === 'Allow').flatMap(actionsOf);
  return OPENING.filter((action) => allowed.some((pattern) => covers(pattern, action)));
};

test('a wildcard counts as all that it covers', () => {
  const withAction = (Action: string): FunctionResource => ({
    ...stack.functionOf('not-found'),
    statements: [{ Effect: 'Allow', Action, Resource: '*' }],
  });
  expect(openingActions(withAction('kms:Re*'))).toEqual(['kms:ReEncryptFrom', 'kms:ReEncryptTo']);
  expect(openingActions(withAction('*'))).toEqual(OPENING);
  expect(openingActions(withAction('kms:Encrypt'))).toEqual([]);
});

const others = OPERATIONS.map(({ id }) => id).filter((id) => !HOLDERS.includes(id));

test.each(others)('%s can neither open secrets nor let anyone else open them', (id) => {
  expect(openingActions(stack.functionOf(id))).toEqual([]);
});

test('no endpoint for operators is among those that can', () => {
  const operators = ENDPOINTS.filter(({ access }) => access.kind === 'operator').map(({ id }) => id);
  expect(operators.filter((id) => HOLDERS.includes(id))).toEqual([]);
});

describe('functions that CDK brings along', () => {
  const isOurs = ({ environment }: FunctionResource): boolean =>
    environment[ENVIRONMENT.operation] !== undefined;
  const helpers = stack.functions().filter((fn) => !isOurs(fn));

  test('are those that copy and remove the files of the admin site and start the first rotation', () => {
    const named = stack.functions().filter(isOurs);
    expect(named.map(({ environment }) => environment[ENVIRONMENT.operation]).sort()).toEqual(
      OPERATIONS.map(({ id }) => id).sort(),
    );
    expect(helpers).toHaveLength(3);
  });

  test('touch neither the table nor the vault key', () => {
    const services = helpers.flatMap(({ statements }) =>
      statements.flatMap(actionsOf).map((action) => action.split(':')[0]),
    );
    expect([...new Set(services)].sort()).toEqual(['lambda', 's3']);
  });

  test('may invoke no function but those that run after a deployment', () => {
    const invoked = helpers.flatMap(({ statements }) =>
      statements
        .filter((statement) => actionsOf(statement).some((action) => action.startsWith('lambda:')))
        .map(({ Action, Resource }) => [Action, Resource]),
    );
    const versionsOf = (id: string) => {
      const arn = { 'Fn::GetAtt': [stack.functionOf(id).logicalId, 'Arn'] };
      return [['lambda:InvokeFunction'], [{ 'Fn::Join': ['', [arn, ':*']] }]];
    };
    expect(new Set(invoked)).toEqual(new Set(['first-operator', 'vault-rotate'].map(versionsOf)));
  });
});
