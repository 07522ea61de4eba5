import * as cognito from 'aws-cdk-lib/aws-cognito';
import { Duration, Fn, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Role } from '../../contract/endpoint.ts';
import {
  ADMIN_SCOPE,
  SIGN_IN_PATHS,
  SIGN_IN_SCOPE,
  type SiteConfig,
  TOKEN_SECONDS,
} from '../../contract/sign-in.ts';
import type { Operation } from './operation.ts';

const GROUPS: Readonly<Record<Role, string>> = {
  admin: 'May do everything, API keys included',
  editor: 'Changes prompts and secrets',
  viewer: 'Reads; the value of a secret is readable by nobody',
};

const [RESOURCE_SERVER = '', SCOPE = ''] = ADMIN_SCOPE.split('/');

// A working day: whoever stays away for longer signs in again.
const SESSION = Duration.hours(12);

/**
 * The part of the sign-in domain that must be unique within a region. It comes from the stack's id, so that neither
 * another account's deployment nor an earlier one is in the way.
 */
const domainPrefix = (scope: Construct): string => {
  const stackUuid = Fn.select(2, Fn.split('/', Stack.of(scope).stackId));
  return `cuevault-${Fn.select(0, Fn.split('-', stackUuid))}`;
};

const signInOrigin = (scope: Construct): string =>
  `https://${domainPrefix(scope)}.auth.${Stack.of(scope).region}.amazoncognito.com`;

const issuerOrigin = (scope: Construct): string => {
  const { region, urlSuffix } = Stack.of(scope);
  return `https://cognito-idp.${region}.${urlSuffix}`;
};

/** Origins that a browser calls while an operator signs in and while tokens are renewed. */
export const identityOrigins = (scope: Construct): string[] => [issuerOrigin(scope), signInOrigin(scope)];

export interface OperatorsProps {
  /** Origin of the admin site, which operators sign in to. */
  readonly adminUrl: string;
  /** The function that adds the e-mail address to access tokens. */
  readonly preToken: Operation;
  /**
   * Address of the first operator, who becomes an administrator and is invited by mail.
   * @default - nobody is invited
   */
  readonly operatorEmail?: string | undefined;
}

/** The user pool of the operators, its groups, its sign-in pages and the admin site's access to it. */
export class Operators extends Construct {
  /** Issuer of the tokens. */
  readonly authority: string;
  readonly clientId: string;
  readonly userPoolId: string;
  readonly #pool: cognito.UserPool;
  readonly #adminUrl: string;

  constructor(scope: Construct, id: string, { adminUrl, preToken, operatorEmail }: OperatorsProps) {
    super(scope, id);
    this.#adminUrl = adminUrl;
    this.#pool = this.#addPool();
    this.#pool.addTrigger(
      cognito.UserPoolOperation.PRE_TOKEN_GENERATION_CONFIG,
      preToken.function,
      cognito.LambdaVersion.V2_0,
    );
    const groups = this.#addGroups();
    const client = this.#addClient();
    this.#addSignInPages(client, domainPrefix(this));
    if (operatorEmail !== undefined) this.#invite(operatorEmail, groups.admin);
    this.userPoolId = this.#pool.userPoolId;
    this.authority = `${issuerOrigin(this)}/${this.userPoolId}`;
    this.clientId = client.userPoolClientId;
  }

  /** What the admin site needs to know for operators to sign in; `apiUrl` is where applications call. */
  siteConfig(apiUrl: string): SiteConfig {
    return {
      authority: this.authority,
      clientId: this.clientId,
      scope: SIGN_IN_SCOPE,
      apiUrl,
      signOut: {
        url: `${signInOrigin(this)}/logout`,
        parameters: {
          client_id: this.clientId,
          logout_uri: `${this.#adminUrl}${SIGN_IN_PATHS.signedOut}`,
        },
      },
    };
  }

  #addPool(): cognito.UserPool {
    const pool = new cognito.UserPool(this, 'Pool', {
      featurePlan: cognito.FeaturePlan.ESSENTIALS,
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      keepOriginal: { email: true },
      accountRecovery: cognito.AccountRecovery.EMAIL_ONLY,
      passwordPolicy: {
        minLength: 14,
        requireDigits: true,
        requireLowercase: true,
        requireUppercase: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(7),
      },
      mfa: cognito.Mfa.REQUIRED,
      mfaSecondFactor: { sms: false, otp: true },
      signInPolicy: { allowedFirstAuthFactors: { password: true, passkey: true } },
      passkeyUserVerification: cognito.PasskeyUserVerification.REQUIRED,
      userInvitation: {
        emailSubject: 'Your access to Cuevault',
        emailBody: `You can now sign in at <a href="${this.#adminUrl}">${this.#adminUrl}</a> as {username} with the temporary password <code>{####}</code>, within seven days.`,
      },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const resource = pool.node.defaultChild as cognito.CfnUserPool;
    resource.overrideLogicalId('Operators');
    // With this a passkey counts as both factors; without it Cognito refuses passkeys where a second one is required.
    resource.webAuthnFactorConfiguration = 'MULTI_FACTOR_WITH_USER_VERIFICATION';
    Validations.of(pool).acknowledge({
      id: 'AwsSolutions-COG8',
      reason:
        'Threat protection needs the Plus plan. A second factor is required of everybody, and nobody can sign up.',
    });
    return pool;
  }

  #addGroups(): Record<Role, cognito.UserPoolGroup> {
    const group = (groupName: Role): cognito.UserPoolGroup =>
      this.#pool.addGroup(groupName, { groupName, description: GROUPS[groupName] });
    return { admin: group('admin'), editor: group('editor'), viewer: group('viewer') };
  }

  #addClient(): cognito.UserPoolClient {
    const scope = new cognito.ResourceServerScope({
      scopeName: SCOPE,
      scopeDescription: 'Use the admin API as the groups of the operator allow',
    });
    const server = this.#pool.addResourceServer('ResourceServer', {
      identifier: RESOURCE_SERVER,
      scopes: [scope],
    });
    return this.#pool.addClient('AdminSite', {
      generateSecret: false,
      supportedIdentityProviders: [cognito.UserPoolClientIdentityProvider.COGNITO],
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [
          cognito.OAuthScope.OPENID,
          cognito.OAuthScope.EMAIL,
          cognito.OAuthScope.resourceServer(server, scope),
        ],
        callbackUrls: [`${this.#adminUrl}${SIGN_IN_PATHS.signedIn}`],
        logoutUrls: [`${this.#adminUrl}${SIGN_IN_PATHS.signedOut}`],
      },
      // What the sign-in pages need to offer passkeys. Tokens got by calling it directly lack the admin scope.
      authFlows: { user: true },
      accessTokenValidity: Duration.seconds(TOKEN_SECONDS.access),
      idTokenValidity: Duration.seconds(TOKEN_SECONDS.id),
      refreshTokenValidity: SESSION,
      // Two tabs may renew at once, and a reply may get lost on its way.
      refreshTokenRotationGracePeriod: Duration.seconds(30),
      enableTokenRevocation: true,
      preventUserExistenceErrors: true,
      // The audit names operators by their address: they must not be able to change it.
      writeAttributes: new cognito.ClientAttributes().withStandardAttributes({ fullname: true }),
    });
  }

  #addSignInPages(client: cognito.UserPoolClient, prefix: string): void {
    const domain = this.#pool.addDomain('Domain', {
      cognitoDomain: { domainPrefix: prefix },
      managedLoginVersion: cognito.ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    // Without a style, even the stock one, the pages are not served.
    const branding = new cognito.CfnManagedLoginBranding(this, 'Branding', {
      userPoolId: this.#pool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    branding.node.addDependency(domain);
  }

  #invite(email: string, group: cognito.UserPoolGroup): void {
    const user = new cognito.CfnUserPoolUser(this, 'FirstOperator', {
      userPoolId: this.#pool.userPoolId,
      username: email,
      desiredDeliveryMediums: ['EMAIL'],
      userAttributes: [
        { name: 'email', value: email },
        { name: 'email_verified', value: 'true' },
      ],
    });
    const membership = new cognito.CfnUserPoolUserToGroupAttachment(this, 'FirstOperatorIsAdmin', {
      userPoolId: this.#pool.userPoolId,
      username: email,
      groupName: group.groupName,
    });
    membership.node.addDependency(user);
    // A later deployment without the setting must not lock the operator out.
    user.applyRemovalPolicy(RemovalPolicy.RETAIN);
    membership.applyRemovalPolicy(RemovalPolicy.RETAIN);
  }
}
