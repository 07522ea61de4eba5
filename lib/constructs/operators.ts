import { createHash } from 'node:crypto';
import * as cognito from 'aws-cdk-lib/aws-cognito';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import { CfnResource, Duration, RemovalPolicy, SecretValue, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import type { UserPoolAction } from '../../contract/functions/grants.ts';
import {
  COMPANY_PRE_TOKEN,
  FIRST_OPERATOR,
  PRE_SIGN_UP,
  PRE_TOKEN,
} from '../../contract/functions/triggers.ts';
import {
  ADMIN_SCOPE,
  type CompanyProvider,
  SIGN_IN_PATHS,
  SIGN_IN_SCOPE,
  type SiteConfig,
  TOKEN_SECONDS,
} from '../../contract/sign-in.ts';
import type { CompanySignIn, StackSettings } from '../settings.ts';
import { Operation, type OperationProps } from './functions/operation.ts';
import { allowed, stackSuffix } from './shared.ts';

const [RESOURCE_SERVER = '', SCOPE = ''] = ADMIN_SCOPE.split('/');

type SignIn = Pick<StackSettings, 'signInPrefix'>;

/** In what the clients of the two doors differ. */
interface ClientOptions
  extends Pick<
    cognito.UserPoolClientOptions,
    'authFlows' | 'readAttributes' | 'writeAttributes' | 'refreshTokenValidity'
  > {
  readonly providers: readonly cognito.UserPoolClientIdentityProvider[];
}

const OF_THE_POOL: ClientOptions = {
  providers: [cognito.UserPoolClientIdentityProvider.COGNITO],
  // The sign-in pages need this flow to offer passkeys. Tokens from calling it directly lack the admin scope.
  authFlows: { user: true },
  // The audit log names operators by their address, so they must not be able to change it.
  writeAttributes: new cognito.ClientAttributes().withStandardAttributes({ fullname: true }),
};

// Must be unique within a region, across accounts and earlier deployments.
// Cognito names people `<provider>_<sub>`: under another issuer or client, somebody else has the same `sub`.
const providerOf = ({ issuer, clientId }: CompanySignIn): CompanyProvider => {
  const digest = createHash('sha256')
    .update(JSON.stringify([issuer, clientId]))
    .digest('hex');
  return { provider: `Company-${digest.slice(0, 8)}`, issuer, clientId };
};

const domainPrefix = (scope: Construct, { signInPrefix }: SignIn): string =>
  signInPrefix ?? `cuevault-${stackSuffix(scope)}`;

/** Where a browser signs an operator in, and gets and renews tokens. */
export const signInOrigin = (scope: Construct, settings: SignIn): string =>
  `https://${domainPrefix(scope, settings)}.auth.${Stack.of(scope).region}.amazoncognito.com`;

const issuerOrigin = (scope: Construct): string => {
  const { region, urlSuffix } = Stack.of(scope);
  return `https://cognito-idp.${region}.${urlSuffix}`;
};

export interface OperatorsProps {
  /** The admin site, which operators sign in to: its origin, and all that it has. */
  readonly site: { readonly url: string; readonly origins: readonly string[] };
  readonly settings: Pick<
    StackSettings,
    'company' | 'operatorEmail' | 'passkeys' | 'sessionHours' | 'signInPrefix'
  >;
  /** Properties that the functions of the user pool share with all others. */
  readonly shared: OperationProps;
}

/** The user pool of the operators, its sign-in pages and the admin site's access to it. What they may do is in the table. */
export class Operators extends Construct {
  readonly authority: string;
  readonly clientId: string;
  /** The client of people of the company. */
  readonly companyClientId: string | undefined;
  readonly #companyProvider: CompanyProvider | undefined;
  readonly userPoolId: string;
  /** Adds claims to access tokens: every sign-in invokes it. */
  readonly preToken: Operation;
  readonly #pool: cognito.UserPool;
  readonly #adminUrl: string;
  readonly #signInOrigin: string;

  constructor(scope: Construct, id: string, { site, settings, shared }: OperatorsProps) {
    super(scope, id);
    this.#adminUrl = site.url;
    this.#pool = this.#addPool(settings.passkeys);
    const { company } = settings;
    this.preToken = new Operation(scope, company === undefined ? PRE_TOKEN : COMPANY_PRE_TOKEN, shared);
    this.#pool.addTrigger(
      cognito.UserPoolOperation.PRE_TOKEN_GENERATION_CONFIG,
      this.preToken.function,
      cognito.LambdaVersion.V2_0,
    );
    const client = this.#addClients(Duration.hours(settings.sessionHours), site.origins);
    const own = client('AdminSite', OF_THE_POOL);
    const addPages = this.#addSignInPages(domainPrefix(this, settings));
    addPages('Branding', own);
    this.#signInOrigin = signInOrigin(this, settings);
    this.userPoolId = this.#pool.userPoolId;
    const { operatorEmail: email } = settings;
    if (email !== undefined) this.#inviteFirst(scope, email, shared);
    if (company !== undefined) {
      const preSignUp = new Operation(scope, PRE_SIGN_UP, shared);
      this.#pool.addTrigger(cognito.UserPoolOperation.PRE_SIGN_UP, preSignUp.function);
      const provider = providerOf(company);
      this.#companyProvider = provider;
      this.preToken.function.addEnvironment(ENVIRONMENT.companyProvider, JSON.stringify(provider));
      const ofCompany = client('CompanySite', this.#ofCompany(provider, company));
      addPages('CompanyBranding', ofCompany);
      this.companyClientId = ofCompany.userPoolClientId;
      this.#askEachTime(own, ofCompany);
    }
    this.authority = `${issuerOrigin(this)}/${this.userPoolId}`;
    this.clientId = own.userPoolClientId;
  }

  /**
   * Lets a function verify access tokens. It fetches the keys when it first needs them: Cognito may replace them at any
   * time, so a deployment cannot pass them.
   */
  letVerify(fn: lambda.Function): void {
    fn.addEnvironment(ENVIRONMENT.tokenIssuer, this.authority);
    fn.addEnvironment(ENVIRONMENT.tokenClient, this.clientId);
    if (this.companyClientId !== undefined)
      fn.addEnvironment(ENVIRONMENT.companyClient, this.companyClientId);
    fn.addEnvironment(ENVIRONMENT.tokenKeys, `${this.authority}/.well-known/jwks.json`);
  }

  /** Lets a function perform these actions on the operators, and passes the id of the user pool. */
  grant(fn: lambda.Function, actions: readonly UserPoolAction[]): void {
    fn.addEnvironment(ENVIRONMENT.userPool, this.userPoolId);
    fn.addToRolePolicy(allowed('cognito-idp', actions, [this.#pool.userPoolArn]));
  }

  /** The configuration that the admin site needs for sign-in; `apiUrl` is the address for applications, `sourceHosts` as in `SiteConfig`. */
  siteConfig(apiUrl: string, sourceHosts: readonly string[]): SiteConfig {
    return {
      authority: this.authority,
      signIn: {
        authorize: `${this.#signInOrigin}/oauth2/authorize`,
        token: `${this.#signInOrigin}/oauth2/token`,
      },
      clientId: this.clientId,
      scope: SIGN_IN_SCOPE,
      ...(this.companyClientId !== undefined && { companyClientId: this.companyClientId }),
      ...(this.#companyProvider !== undefined && { companyProvider: this.#companyProvider.provider }),
      apiUrl,
      sourceHosts,
      mails: true,
      signOut: {
        url: `${this.#signInOrigin}/logout`,
        parameters: {
          client_id: this.clientId,
          logout_uri: `${this.#adminUrl}${SIGN_IN_PATHS.signedOut}`,
        },
      },
    };
  }

  #addPool(passkeys: boolean): cognito.UserPool {
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
      signInPolicy: { allowedFirstAuthFactors: { password: true, ...(passkeys ? { passkey: true } : {}) } },
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
    // With this, a passkey counts as both factors; without it, Cognito rejects passkeys if a second factor is required. It
    // stays when passkeys are turned off: CloudFormation does not reset a property that is gone.
    resource.webAuthnFactorConfiguration = 'MULTI_FACTOR_WITH_USER_VERIFICATION';
    Validations.of(pool).acknowledge({
      id: 'AwsSolutions-COG8',
      reason: 'Threat protection needs the Plus plan. A second factor is required, and nobody can sign up.',
    });
    return pool;
  }

  /**
   * Invites the first operator after a deployment. A function does this because a user created by CloudFormation gets no
   * password if passkeys are enabled, and cannot be renamed or changed later.
   */
  #inviteFirst(scope: Construct, email: string, shared: OperationProps): void {
    const operation = new Operation(scope, FIRST_OPERATOR, { ...shared, userPool: this });
    operation.function.addEnvironment(ENVIRONMENT.operatorEmail, email);
    operation.runAfterDeployment(shared.table.resource);
  }

  #ofCompany(
    { provider: name, issuer, clientId }: CompanyProvider,
    { secretArn }: CompanySignIn,
  ): ClientOptions {
    const provider = new cognito.UserPoolIdentityProviderOidc(this, 'Company', {
      userPool: this.#pool,
      name,
      issuerUrl: issuer,
      clientId,
      clientSecret: SecretValue.secretsManager(secretArn).unsafeUnwrap(),
      scopes: ['openid', 'email'],
      // Without the second, Cognito says of each address that it is not verified.
      attributeMapping: {
        email: cognito.ProviderAttribute.other('email'),
        emailVerified: cognito.ProviderAttribute.other('email_verified'),
      },
    });
    const written = new cognito.ClientAttributes().withStandardAttributes({ email: true });
    return {
      providers: [cognito.UserPoolClientIdentityProvider.custom(provider.providerName)],
      // The pool has no function for this flow, so it admits nobody. An empty list would mean the defaults.
      authFlows: { custom: true },
      // Cognito's shortest: whoever leaves the company is asked for by the company again.
      refreshTokenValidity: Duration.hours(1),
      readAttributes: written.withStandardAttributes({ emailVerified: true }),
      // Cognito writes what is mapped at each sign-in, `email_verified` too, which it refuses to see here. A token of this
      // client cannot write: it lacks Cognito's scope.
      writeAttributes: written,
    };
  }

  /**
   * Lets no sign-in of one client count for a later one, which by default it does for an hour: somebody who has left the
   * company would still get in. The session is the pool's, so this holds for both clients. Only with a company, because not
   * every region may have these types of resources yet.
   */
  #askEachTime(...clients: readonly cognito.UserPoolClient[]): void {
    const { userPoolId: UserPoolId } = this.#pool;
    // This release of CDK has no types for them.
    const tracking = new CfnResource(this, 'Sessions', {
      type: 'AWS::Cognito::UserPoolSessionConfigurationAttachment',
      // Both are required; 20 is what Cognito has without it.
      properties: { UserPoolId, UserSessionTracking: 'ENABLED', TokenSession: { MaxPerUser: 20 } },
    });
    for (const client of clients) {
      const session = new CfnResource(client, 'Session', {
        type: 'AWS::Cognito::UserPoolClientSessionConfigurationAttachment',
        properties: {
          UserPoolId,
          ClientId: client.userPoolClientId,
          SSOSession: { MaxValidityMinutes: 0 },
        },
      });
      session.addResourceDependency(tracking);
    }
  }

  #addClients(session: Duration, origins: readonly string[]) {
    const scope = new cognito.ResourceServerScope({
      scopeName: SCOPE,
      scopeDescription: 'Use the admin API as the group of the operator allows',
    });
    const server = this.#pool.addResourceServer('ResourceServer', {
      identifier: RESOURCE_SERVER,
      scopes: [scope],
    });
    const options: cognito.UserPoolClientOptions = {
      generateSecret: false,
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [
          cognito.OAuthScope.OPENID,
          cognito.OAuthScope.EMAIL,
          cognito.OAuthScope.resourceServer(server, scope),
        ],
        callbackUrls: origins.flatMap((origin) =>
          [SIGN_IN_PATHS.signedIn, SIGN_IN_PATHS.signedInAgain].map((place) => origin + place),
        ),
        logoutUrls: origins.map((origin) => origin + SIGN_IN_PATHS.signedOut),
      },
      accessTokenValidity: Duration.seconds(TOKEN_SECONDS.access),
      idTokenValidity: Duration.seconds(TOKEN_SECONDS.id),
      // Counts from the sign-in: with rotation, a new refresh token expires together with the one that it replaces.
      refreshTokenValidity: session,
      // Two tabs can renew at the same time, and a reply can get lost.
      refreshTokenRotationGracePeriod: Duration.seconds(30),
      enableTokenRevocation: true,
      preventUserExistenceErrors: true,
    };
    return (id: string, { providers, ...own }: ClientOptions): cognito.UserPoolClient =>
      this.#pool.addClient(id, { ...options, supportedIdentityProviders: [...providers], ...own });
  }

  #addSignInPages(prefix: string) {
    const domain = this.#pool.addDomain('Domain', {
      cognitoDomain: { domainPrefix: prefix },
      managedLoginVersion: cognito.ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    // Passkeys are bound to it, and a prefix that is free again can be claimed by anyone.
    domain.applyRemovalPolicy(RemovalPolicy.RETAIN);
    (domain.node.defaultChild as cognito.CfnUserPoolDomain).overrideLogicalId('SignInDomain');
    // Without a style, even the default one, the pages are not served.
    return (id: string, client: cognito.UserPoolClient): void => {
      const branding = new cognito.CfnManagedLoginBranding(this, id, {
        userPoolId: this.#pool.userPoolId,
        clientId: client.userPoolClientId,
        useCognitoProvidedValues: true,
      });
      branding.node.addDependency(domain);
    };
  }
}
