import { PRE_TOKEN } from '../../contract/triggers.ts';
import { type Json, synthesize } from './stack.ts';

const stack = synthesize({
  operatorEmail: 'ada@example.com',
  adminDomain: 'cues.example.com',
  adminCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d',
});

const POOL = { Ref: 'Operators' };
const pool = stack.resource('Operators').Properties;
const client = stack.only('AWS::Cognito::UserPoolClient').Properties;

describe('the user pool', () => {
  test('lets nobody sign up, and knows operators by their address', () => {
    expect(pool).toMatchObject({
      UserPoolTier: 'ESSENTIALS',
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      UsernameAttributes: ['email'],
      UsernameConfiguration: { CaseSensitive: false },
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] },
    });
  });

  test('asks everybody for a second factor: a code from an app, or a passkey that verifies its user', () => {
    expect(pool).toMatchObject({
      MfaConfiguration: 'ON',
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
      WebAuthnFactorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
      WebAuthnUserVerification: 'required',
      Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'WEB_AUTHN'] } },
    });
    // Cognito refuses one below its own domain, and takes that domain where none is given.
    expect(pool).not.toHaveProperty('WebAuthnRelyingPartyID');
  });

  test('has its id among the outputs, for adding operators by hand', () => {
    stack.template.hasOutput('UserPoolId', { Value: POOL });
  });

  test('takes strong passwords only', () => {
    expect((pool.Policies as Json).PasswordPolicy).toEqual({
      MinimumLength: 14,
      RequireLowercase: true,
      RequireNumbers: true,
      RequireSymbols: true,
      RequireUppercase: true,
      TemporaryPasswordValidityDays: 7,
    });
  });

  test('has a group for each role', () => {
    const groups = Object.values(stack.resources('AWS::Cognito::UserPoolGroup'));
    expect(groups.map(({ Properties }) => Properties.GroupName).sort()).toEqual([
      'admin',
      'editor',
      'viewer',
    ]);
  });

  test('lets its trigger, and no other function, add to access tokens', () => {
    const { logicalId } = stack.functionOf(PRE_TOKEN.id);
    const arn = { 'Fn::GetAtt': [logicalId, 'Arn'] };
    expect(pool.LambdaConfig).toEqual({
      PreTokenGenerationConfig: { LambdaArn: arn, LambdaVersion: 'V2_0' },
    });
    stack.template.hasResourceProperties('AWS::Lambda::Permission', {
      FunctionName: arn,
      Principal: 'cognito-idp.amazonaws.com',
      SourceArn: { 'Fn::GetAtt': ['Operators', 'Arn'] },
    });
  });
});

describe('the client of the admin site', () => {
  test('is public, and gets tokens for a code alone', () => {
    expect(client).toMatchObject({
      UserPoolId: POOL,
      GenerateSecret: false,
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['code'],
      SupportedIdentityProviders: ['COGNITO'],
      CallbackURLs: ['https://cues.example.com/signed-in'],
      LogoutURLs: ['https://cues.example.com/'],
    });
    const [server] = Object.keys(stack.resources('AWS::Cognito::UserPoolResourceServer'));
    expect(client.AllowedOAuthScopes).toEqual([
      'openid',
      'email',
      { 'Fn::Join': ['', [{ Ref: server }, '/admin']] },
    ]);
    expect(stack.only('AWS::Cognito::UserPoolResourceServer').Properties).toMatchObject({
      Identifier: 'cuevault',
      Scopes: [{ ScopeName: 'admin' }],
    });
  });

  test('gets access tokens for ten minutes, and refresh tokens that rotate and can be revoked', () => {
    expect(client).toMatchObject({
      AccessTokenValidity: 10,
      IdTokenValidity: 10,
      RefreshTokenValidity: 720,
      TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'minutes' },
      RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 30 },
      EnableTokenRevocation: true,
    });
  });

  test('neither tells who exists nor lets operators change the address that the audit knows them by', () => {
    expect(client.PreventUserExistenceErrors).toBe('ENABLED');
    expect(client.WriteAttributes).toEqual(['name']);
  });

  test('takes no password past the sign-in pages, and no refresh token by a way that does not rotate it', () => {
    expect(client.ExplicitAuthFlows).toEqual(['ALLOW_USER_AUTH']);
  });

  test('has sign-in pages of the version with passkeys, and the style without which they are not served', () => {
    const [domain] = Object.keys(stack.resources('AWS::Cognito::UserPoolDomain'));
    const [clientId] = Object.keys(stack.resources('AWS::Cognito::UserPoolClient'));
    expect(stack.only('AWS::Cognito::UserPoolDomain').Properties).toMatchObject({
      UserPoolId: POOL,
      ManagedLoginVersion: 2,
    });
    expect(stack.only('AWS::Cognito::ManagedLoginBranding')).toMatchObject({
      Properties: { UserPoolId: POOL, ClientId: { Ref: clientId }, UseCognitoProvidedValues: true },
      DependsOn: [domain],
    });
  });
});

describe('the first operator', () => {
  test('is invited by mail, as an administrator, with the address of the admin site', () => {
    const user = stack.only('AWS::Cognito::UserPoolUser').Properties;
    expect(user).toMatchObject({
      UserPoolId: POOL,
      Username: 'ada@example.com',
      DesiredDeliveryMediums: ['EMAIL'],
    });
    expect(user.UserAttributes).toEqual([
      { Name: 'email', Value: 'ada@example.com' },
      { Name: 'email_verified', Value: 'true' },
    ]);
    const { GroupName } = stack.only('AWS::Cognito::UserPoolUserToGroupAttachment').Properties as {
      GroupName: { Ref: string };
    };
    expect(stack.resource(GroupName.Ref).Properties.GroupName).toBe('admin');
    expect(JSON.stringify(pool.AdminCreateUserConfig)).toMatch(
      /https:\/\/cues\.example\.com.*\{username\}.*\{####\}/,
    );
  });

  test('stays when a later deployment does not name an address', () => {
    const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
    expect(stack.only('AWS::Cognito::UserPoolUser')).toMatchObject(kept);
    expect(stack.only('AWS::Cognito::UserPoolUserToGroupAttachment')).toMatchObject(kept);
  });

  test('is not made without an address', () => {
    synthesize().template.resourceCountIs('AWS::Cognito::UserPoolUser', 0);
  });
});
