import { ENDPOINTS } from '../../contract/endpoints.ts';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { FIRST_OPERATOR, PRE_SIGN_UP, PRE_TOKEN } from '../../contract/functions/triggers.ts';
import { addressed, adopting, attribute, COMPANY_SETTINGS, joined, otherwise, varied } from './stack.ts';

const stack = addressed();

const POOL = { Ref: 'Operators' };
const pool = stack.resource('Operators').Properties;
const clients = stack.resources('AWS::Cognito::UserPoolClient');
const idOf = (name: string): string => Object.keys(clients).find((id) => id.includes(name)) ?? '';
const client = stack.resource(idOf('AdminSite')).Properties;
const company = stack.resource(idOf('CompanySite')).Properties;

describe('the user pool', () => {
  test('does not allow sign-up, and identifies operators by address', () => {
    stack.template.hasOutput('UserPoolId', { Value: POOL });
    expect(pool).toMatchObject({
      UserPoolTier: 'ESSENTIALS',
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      UsernameAttributes: ['email'],
      UsernameConfiguration: { CaseSensitive: false },
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] },
    });
  });

  test('requires a second factor: a code from an app', () => {
    expect(pool).toMatchObject({
      MfaConfiguration: 'ON',
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
      WebAuthnFactorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
      WebAuthnUserVerification: 'required',
      Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD'] } },
    });
    // Cognito rejects a subdomain of its own domain, and uses that domain by default.
    expect(pool).not.toHaveProperty('WebAuthnRelyingPartyID');
  });

  test('accepts only strong passwords', () => {
    expect(pool.Policies.PasswordPolicy).toEqual({
      MinimumLength: 14,
      RequireLowercase: true,
      RequireNumbers: true,
      RequireSymbols: true,
      RequireUppercase: true,
      TemporaryPasswordValidityDays: 7,
    });
  });

  test('lets its triggers, and no other function, admit people and add to access tokens', () => {
    const arn = stack.arnOf(PRE_TOKEN.id);
    expect(pool.LambdaConfig).toEqual({
      PreTokenGenerationConfig: { LambdaArn: arn, LambdaVersion: 'V2_0' },
      PreSignUp: stack.arnOf(PRE_SIGN_UP.id),
    });
    stack.template.hasResourceProperties('AWS::Lambda::Permission', {
      FunctionName: arn,
      Principal: 'cognito-idp.amazonaws.com',
      SourceArn: attribute('Operators'),
    });
  });
});

describe('the client of the admin site', () => {
  test('is public, and gets tokens only for a code, at each address of the site', () => {
    const { logicalId } = stack.only('AWS::CloudFront::Distribution');
    const assigned = (path: string) => joined('https://', attribute(logicalId, 'DomainName'), path);
    expect(client).toMatchObject({
      UserPoolId: POOL,
      GenerateSecret: false,
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['code'],
      SupportedIdentityProviders: ['COGNITO'],
      CallbackURLs: [
        ...['https://cues.example.com/signed-in', 'https://cues.example.com/signed-in-again'],
        ...[assigned('/signed-in'), assigned('/signed-in-again')],
      ],
      LogoutURLs: ['https://cues.example.com/', assigned('/')],
    });
    const [server] = Object.keys(stack.resources('AWS::Cognito::UserPoolResourceServer'));
    expect(client.AllowedOAuthScopes).toEqual(['openid', 'email', joined({ Ref: server }, '/admin')]);
    expect(stack.only('AWS::Cognito::UserPoolResourceServer').Properties).toMatchObject({
      Identifier: 'cuevault',
      Scopes: [{ ScopeName: 'admin' }],
    });
  });

  test('gets access tokens for ten minutes, and refresh tokens that always rotate and can be revoked; passwords only on the sign-in pages', () => {
    expect(client).toMatchObject({
      AccessTokenValidity: 10,
      IdTokenValidity: 10,
      RefreshTokenValidity: 720,
      TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'minutes' },
      RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 30 },
      EnableTokenRevocation: true,
      ExplicitAuthFlows: ['ALLOW_USER_AUTH'],
    });
  });

  test('writes, like every client, no attribute that Cognito refuses', () => {
    const written = Object.values(clients).flatMap(({ Properties }) => Properties.WriteAttributes);
    for (const refused of ['email_verified', 'phone_number_verified', 'sub'])
      expect(written).not.toContain(refused);
  });

  test('neither reveals who exists nor lets operators change the address in the audit log', () => {
    expect(client).toMatchObject({ PreventUserExistenceErrors: 'ENABLED', WriteAttributes: ['name'] });
  });

  test('has the sign-in pages with passkeys, and the style that they require', () => {
    const [domain] = Object.keys(stack.resources('AWS::Cognito::UserPoolDomain'));
    expect(stack.only('AWS::Cognito::UserPoolDomain').Properties).toMatchObject({
      UserPoolId: POOL,
      ManagedLoginVersion: 2,
    });
    expect(Object.values(stack.resources('AWS::Cognito::ManagedLoginBranding'))).toMatchObject(
      ['AdminSite', 'CompanySite'].map((name) => ({
        Properties: { UserPoolId: POOL, ClientId: { Ref: idOf(name) }, UseCognitoProvidedValues: true },
        DependsOn: [domain],
      })),
    );
  });
});

describe('with company sign-in', () => {
  const [[provider = '', { Properties }] = ['', { Properties: {} }]] = Object.entries(
    stack.resources('AWS::Cognito::UserPoolIdentityProvider'),
  );

  test('a second client has only the company, no flow that admits anybody, and attributes of its own', () => {
    const { CallbackURLs, LogoutURLs, AllowedOAuthScopes, RefreshTokenRotation } = client;
    expect(company).toMatchObject({
      CallbackURLs,
      LogoutURLs,
      AllowedOAuthScopes,
      RefreshTokenRotation,
      SupportedIdentityProviders: [{ Ref: provider }],
      ExplicitAuthFlows: ['ALLOW_CUSTOM_AUTH'],
      RefreshTokenValidity: 60,
      ReadAttributes: ['email', 'email_verified'],
      WriteAttributes: ['email'],
    });
    expect(pool.LambdaConfig).not.toHaveProperty('DefineAuthChallenge');
  });

  test('no sign-in session of either client outlives the question whom the company still has', () => {
    const tracking = stack.only('AWS::Cognito::UserPoolSessionConfigurationAttachment');
    expect(tracking.Properties).toMatchObject({ UserPoolId: POOL, UserSessionTracking: 'ENABLED' });
    const sessions = Object.values(
      stack.resources('AWS::Cognito::UserPoolClientSessionConfigurationAttachment'),
    );
    expect(sessions).toEqual(
      ['AdminSite', 'CompanySite'].map((name) => ({
        Type: expect.any(String),
        Properties: {
          UserPoolId: POOL,
          ClientId: { Ref: idOf(name) },
          SSOSession: { MaxValidityMinutes: 0 },
        },
        DependsOn: [tracking.logicalId],
      })),
    );
    expect(
      otherwise().template.findResources('AWS::Cognito::UserPoolSessionConfigurationAttachment'),
    ).toEqual({});
  });

  test('whether an address is verified comes from the company, and its secret from Secrets Manager', () => {
    expect(Properties).toMatchObject({
      ProviderName: expect.stringMatching(/^Company-[0-9a-f]{8}$/),
      ProviderType: 'OIDC',
      AttributeMapping: { email: 'email', email_verified: 'email_verified' },
      ProviderDetails: {
        client_secret: `{{resolve:secretsmanager:${COMPANY_SETTINGS.signInSecretArn}:SecretString:::}}`,
        oidc_issuer: COMPANY_SETTINGS.signInIssuer,
      },
    });
  });

  test('another issuer or client is another provider, and the function that finds people knows which', () => {
    const nameIn = (other: typeof stack) => {
      const made = other.only('AWS::Cognito::UserPoolIdentityProvider').Properties;
      const { environment } = other.functionOf(PRE_TOKEN.id);
      const { provider: name } = JSON.parse(environment[ENVIRONMENT.companyProvider]);
      expect(name).toBe(made.ProviderName);
      return name;
    };
    const names = [stack, varied(), adopting()].map(nameIn);
    expect(new Set(names).size).toBe(3);
  });

  test('without it, there is neither the client nor its function, and the other trigger has no table', () => {
    const without = otherwise();
    expect(() => without.functionOf(PRE_SIGN_UP.id)).toThrow('no function');
    expect(JSON.stringify(without.functionOf(PRE_TOKEN.id).statements)).not.toMatch(/dynamodb|kms/);
  });
});

describe('the first operator', () => {
  const { resource, logicalId } = stack.functionOf(FIRST_OPERATOR.id);

  test('is invited after the deployment by a function with their address and the pool', () => {
    expect(resource.Properties.Environment).toMatchObject({
      Variables: { [ENVIRONMENT.operatorEmail]: 'ada@example.com', [ENVIRONMENT.userPool]: POOL },
    });
    expect(JSON.stringify(pool.AdminCreateUserConfig)).toMatch(
      /https:\/\/cues\.example\.com.*\{username\}.*\{####\}/,
    );
  });

  test('is invited once the table exists', () => {
    const trigger = Object.values(stack.resources('Custom::Trigger')).find(
      ({ Properties }) => stack.resource(Properties.HandlerArn.Ref).Properties.FunctionName.Ref === logicalId,
    );
    expect(trigger?.DependsOn).toContain('Table');
  });

  test('is not a resource of the stack, so no deployment replaces or fails on an existing user; nor invited without an address', () => {
    stack.template.resourceCountIs('AWS::Cognito::UserPoolUser', 0);
    stack.template.resourceCountIs('AWS::Cognito::UserPoolGroup', 0);
    expect(() => otherwise().functionOf(FIRST_OPERATOR.id)).toThrow('no function');
  });
});

describe('settings', () => {
  test('with passkeys, operators sign in with one that verifies the user, or a password and a code', () => {
    expect(otherwise().resource('Operators').Properties).toMatchObject({
      MfaConfiguration: 'ON',
      Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'WEB_AUTHN'] } },
      WebAuthnFactorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
      WebAuthnUserVerification: 'required',
    });
  });

  test('a session lasts as long as the settings say', () => {
    const { Properties } = otherwise().only('AWS::Cognito::UserPoolClient');
    expect(Properties).toMatchObject({ RefreshTokenValidity: 120 });
  });
});

test.each(ENDPOINTS)(
  '$id verifies access tokens of this pool and of both its clients if it is for operators',
  ({ id, access }) => {
    const region = { Ref: 'AWS::Region' };
    const authority = ['https://cognito-idp.', region, '.', { Ref: 'AWS::URLSuffix' }, '/', POOL];
    const { environment } = stack.functionOf(id);
    const names = [
      ENVIRONMENT.tokenIssuer,
      ENVIRONMENT.tokenClient,
      ENVIRONMENT.companyClient,
      ENVIRONMENT.tokenKeys,
    ];
    const own = ['AdminSite', 'CompanySite'].map((name) => ({ Ref: idOf(name) }));
    expect(names.map((name) => environment[name])).toEqual(
      access.kind === 'operator'
        ? [joined(...authority), ...own, joined(...authority, '/.well-known/jwks.json')]
        : names.map(() => undefined),
    );
  },
);
