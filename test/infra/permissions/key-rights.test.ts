import { generateKeyPairSync, sign } from 'node:crypto';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { PUBLIC_KEY_RESOURCE } from '../../../contract/functions/signing-key.ts';
import { createSigning } from '../../../lambdas/core/signing.ts';
import {
  actionsOf,
  type FunctionResource,
  type Json,
  joined,
  OPERATIONS,
  type Statement,
  synthesize,
} from '../stack.ts';

const stack = synthesize();

describe('functions that CDK adds', () => {
  const isOurs = ({ environment }: FunctionResource): boolean =>
    environment[ENVIRONMENT.operation] !== undefined;
  const helpers = stack.functions().filter((fn) => !isOurs(fn));

  test('copy and remove the files of the admin site and start the first rotation; they access neither table nor vault key', () => {
    const named = stack.functions().filter(isOurs);
    expect(named.map(({ environment }) => environment[ENVIRONMENT.operation]).sort()).toEqual(
      OPERATIONS.map(({ id }) => id).sort(),
    );
    expect(helpers).toHaveLength(3);
    const actions = helpers.flatMap(({ statements }) => statements.flatMap(actionsOf));
    expect(new Set(actions.map((action) => action.split(':')[0]))).toEqual(new Set(['lambda', 's3']));
  });

  test('may invoke only functions that run after a deployment', () => {
    const invoked = helpers.flatMap(({ statements }) =>
      statements
        .filter((statement) => actionsOf(statement).some((action) => action.startsWith('lambda:')))
        .map(({ Action, Resource }) => [Action, Resource]),
    );
    const versionsOf = (id: string) => {
      return [['lambda:InvokeFunction'], [joined(stack.arnOf(id), ':*')]];
    };
    expect(new Set(invoked)).toEqual(new Set(['first-operator', 'vault-rotate'].map(versionsOf)));
  });
});

describe('the policies of the keys', () => {
  const denials = (logicalId: string) => {
    const { KeyPolicy } = stack.resource(logicalId).Properties;
    return (KeyPolicy.Statement as (Statement & { Principal: unknown })[]).filter(
      ({ Effect }) => Effect === 'Deny',
    );
  };
  const deniedToAll = (logicalId: string): string[] =>
    denials(logicalId)
      .filter(
        ({ Condition, Principal }) => Condition === undefined && JSON.stringify(Principal) === '{"AWS":"*"}',
      )
      .flatMap(actionsOf);

  test('nobody can wrap their own private key or grant the use of a key', () => {
    expect(deniedToAll('VaultKey')).toEqual([
      'kms:CreateGrant',
      'kms:Encrypt',
      'kms:ReEncrypt*',
      'kms:ReplicateKey',
      'kms:UpdatePrimaryRegion',
    ]);
    expect(deniedToAll('SigningKey')).toEqual(['kms:CreateGrant']);
  });

  test('signing is denied to everyone but the functions that write signed rows', () => {
    const [denial, ...more] = denials('SigningKey').filter((each) => actionsOf(each).includes('kms:Sign'));
    expect(more).toEqual([]);
    const signers = OPERATIONS.filter(({ grants }) => grants.some(({ on }) => on === 'signing-key'));
    const arns = signers.map(({ id }) => stack.functionOf(id).resource.Properties.Role);
    const { 'aws:PrincipalArn': holders } = denial?.Condition?.ArnNotEquals ?? {};
    expect(holders.map((each: unknown) => JSON.stringify(each)).sort()).toEqual(
      arns.map((each) => JSON.stringify(each)).sort(),
    );
  });

  test('every function that reads the table has the public key', () => {
    const readers = OPERATIONS.filter(({ grants }) => grants.some(({ on }) => on === 'table'));
    for (const { id } of readers) {
      const [resource, attribute] =
        stack.functionOf(id).environment[ENVIRONMENT.publicKeys]?.['Fn::GetAtt'] ?? [];
      expect([stack.resource(resource).Type, attribute]).toEqual([PUBLIC_KEY_RESOURCE, 'PublicKey']);
    }
  });
});

describe('while another signing key replaces the first, in two deployments,', () => {
  const STEPS = [{}, { signingKeys: '1,2' }, { signingKeys: '2,1' }].map((settings) => synthesize(settings));
  type Step = (typeof STEPS)[number];
  const MESSAGE = new TextEncoder().encode('a row');
  const pairs = new Map(
    ['SigningKey', 'SigningKey2'].map((id) => [id, generateKeyPairSync('ec', { namedCurve: 'P-256' })]),
  );

  /** The signing of a function as it is deployed: public keys and the key that signs come from its environment. */
  const signingOf = (step: Step, operation: string) => {
    const { environment } = step.functionOf(operation);
    const keyOf = (arn: Json) => pairs.get(arn['Fn::GetAtt'][0]);
    const publicKeys = [
      ...JSON.stringify(environment[ENVIRONMENT.publicKeys]).matchAll(/"(\w*PublicKey\w*)"/g),
    ]
      .filter(([, id]) => id !== 'PublicKey')
      .map(([, id = '']) => keyOf(step.resource(id).Properties.KeyId)?.publicKey)
      .map((key) => key?.export({ type: 'spki', format: 'der' }).toString('base64'));
    const signer = keyOf(environment[ENVIRONMENT.signingKeyArn] ?? { 'Fn::GetAtt': ['none'] })?.privateKey;
    return createSigning(publicKeys.join(' '), async (message) => sign('sha256', message, signer ?? ''));
  };

  test.each([
    [0, 1],
    [1, 2],
  ])(
    'functions before and after step %i to %i, or its rollback, accept the rows of each other',
    async (from, to) => {
      const both = [STEPS[from], STEPS[to]].flatMap((step) => step ?? []);
      for (const writer of both) {
        const signature = await signingOf(writer, 'prompts-create').sign(MESSAGE);
        for (const reader of both)
          expect(signingOf(reader, 'prompt-get-compiled').isSigned(MESSAGE, signature)).toBe(true);
      }
    },
  );

  test('no permission changes when the other key begins to sign', () => {
    const permissions = (step: Step | undefined) => [
      step?.functionOf('prompts-create').statements,
      ...['SigningKey', 'SigningKey2'].map((id) => step?.resource(id).Properties.KeyPolicy),
    ];
    expect(permissions(STEPS[2])).toEqual(permissions(STEPS[1]));
  });

  test('both steps make new versions of the functions that shift gradually', () => {
    const versions = STEPS.map((step) =>
      JSON.stringify(step.aliasOf('prompt-get-compiled').Properties.FunctionVersion),
    );
    expect(new Set(versions).size).toBe(3);
  });
});
