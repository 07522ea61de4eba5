import { GenerateDataKeyWithoutPlaintextCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { LambdaClient, paginateListEventSourceMappings } from '@aws-sdk/client-lambda';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import type { Endpoint } from '../../contract/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { operatorManage, smoke } from '../../contract/functions/commands.ts';
import { vaultKeyContext } from '../../contract/functions/vault-key.ts';
import { HEADERS } from '../../contract/http/errors.ts';
import { configIn } from '../../contract/sign-in.ts';
import type { OperatorRow } from '../../lambdas/store/operators/changes.ts';
import type { Smoke } from '../../lambdas/store/smoke.ts';
import { counted } from '../counted.ts';
import { type Check, type Finding, failure, ok, reportOf, runChecks, warning } from './checks.ts';
import { isAllowed, mayWrite, resourcesOf } from './functions.ts';
import { withInstallation } from './installation.ts';
import type { Installation } from './reply.ts';
import { CommandError, type DeployedStack, requireStack } from './stack.ts';

/** Lists the resources of a stack. Errors: those of CloudFormation. */
export const openDeployment = async (stage: string, stack: DeployedStack) => {
  const ids = new Map<string, string[]>();
  const keys = new Map<string, string>();
  for (const resource of await resourcesOf(stack.name)) {
    const { ResourceType = '', LogicalResourceId = '', PhysicalResourceId = '' } = resource;
    ids.set(ResourceType, [...(ids.get(ResourceType) ?? []), PhysicalResourceId]);
    if (ResourceType === 'AWS::KMS::Key') keys.set(LogicalResourceId.replace(/\d+$/, ''), PhysicalResourceId);
  }
  return {
    stage,
    stack,
    /** Base address of the API. */
    apiUrl: stack.output('ApiUrl'),
    /** Physical ids by resource type. */
    ids,
    vaultKey: keys.get('VaultKey') ?? '',
    signingKey: keys.get('SigningKey') ?? '',
  };
};

/** A deployed stack with the physical ids of its resources. */
export type Deployment = Awaited<ReturnType<typeof openDeployment>>;

const only = ({ ids }: Deployment, type: string): string => {
  const [id] = ids.get(type) ?? [];
  if (id === undefined) throw new CommandError(`The stack has no ${type}.`);
  return id;
};

const operators = async ({ stage }: Deployment): Promise<Finding> => {
  const { operators: all } = (await withInstallation({ stage }, ({ invoke }) =>
    invoke(operatorManage.id, { do: 'list' }),
  )) as { readonly operators: readonly OperatorRow[] };
  const administrators = all.filter(({ group, status }) => group === 'admin' && status !== 'disabled');
  const active = administrators.filter(({ status }) => status === 'active');
  if (active.length > 0)
    return ok(`${counted(all.length, 'operator')}, ${counted(active.length, 'active administrator')}`);
  return administrators.length > 0
    ? warning(
        'The administrator has not signed in yet. If the mail did not arrive: npm run operator -- reset EMAIL',
      )
    : failure('There is no administrator: npm run operator -- add EMAIL --group admin');
};

const statusOf = async (apiUrl: string, { route }: Endpoint): Promise<string> => {
  const method = route?.method ?? 'GET';
  const path = route?.path.replace(/\{[^}]*\}/g, 'smoke') ?? '/smoke';
  const response = await fetch(apiUrl + path, { method, signal: AbortSignal.timeout(30_000) });
  await response.arrayBuffer();
  if (response.headers.has(HEADERS.requestId)) return `${response.status} by its function`;
  return `${response.status}${response.status >= 500 ? NOT_INVOKED : ''}`;
};

const NOT_INVOKED = ' by API Gateway';

const EXPECTED = {
  'api-key': '401 by its function',
  operator: '401',
  public: '404 by its function',
} as const;

const WHY_NOT_INVOKED =
  ' API Gateway did not invoke these functions: the role with the logical id "Invoker…" must trust apigateway.amazonaws.com without conditions and may invoke them. Deploy with -c accessLog=true; the field "integrationError" of the access log says more.';

const routes = async ({ apiUrl }: Deployment): Promise<Finding> => {
  const wrong: string[] = [];
  for (const endpoint of ENDPOINTS) {
    const status = await statusOf(apiUrl, endpoint);
    if (status !== EXPECTED[endpoint.access.kind]) wrong.push(`${endpoint.id} answered ${status}`);
  }
  const why = wrong.some((each) => each.endsWith(NOT_INVOKED)) ? WHY_NOT_INVOKED : '';
  return wrong.length === 0
    ? ok(`all ${ENDPOINTS.length} answer as expected without credentials`)
    : failure(
        `Calls without credentials: ${wrong.join('; ')}.${why || ' Check the logs of these functions.'}`,
      );
};

const SEE_CHANGED = 'See "A policy was changed" in docs/operations.md.';

const keyPolicies = async ({ stage, vaultKey, signingKey }: Deployment): Promise<Finding> => {
  const kms = new KMSClient({});
  const mayCall = (dryRun: Promise<unknown>) => isAllowed(dryRun, 'DryRunOperationException');
  const wrap = new GenerateDataKeyWithoutPlaintextCommand({
    KeyId: vaultKey,
    KeySpec: 'AES_256',
    EncryptionContext: vaultKeyContext(stage),
    DryRun: true,
  });
  const sign = new SignCommand({
    KeyId: signingKey,
    Message: new TextEncoder().encode('smoke'),
    MessageType: 'RAW',
    SigningAlgorithm: 'ECDSA_SHA_256',
    DryRun: true,
  });
  const open = [
    ...((await mayCall(kms.send(wrap))) ? ['vault key'] : []),
    ...((await mayCall(kms.send(sign))) ? ['signing key'] : []),
  ];
  return open.length === 0
    ? ok('deny the use of the vault key and the signing key with your credentials')
    : failure(`Your credentials can use the ${open.join(' and the ')}. ${SEE_CHANGED}`);
};

const tablePolicy = async (deployment: Deployment): Promise<Finding> =>
  (await mayWrite(only(deployment, 'AWS::DynamoDB::GlobalTable')))
    ? failure(`Your credentials can write to the table. ${SEE_CHANGED}`)
    : ok('denies writing with your credentials');

const streams = async ({ ids }: Deployment): Promise<Finding> => {
  const mine = new Set(ids.get('AWS::Lambda::EventSourceMapping') ?? []);
  const stopped: string[] = [];
  const client = new LambdaClient({});
  for await (const { EventSourceMappings = [] } of paginateListEventSourceMappings({ client }, {})) {
    for (const { UUID = '', State, FunctionArn, LastProcessingResult = '' } of EventSourceMappings) {
      if (mine.has(UUID) && (State !== 'Enabled' || /PROBLEM|error/i.test(LastProcessingResult)))
        stopped.push(`${FunctionArn} is ${State}, ${LastProcessingResult}`);
    }
  }
  return stopped.length === 0
    ? ok(`${mine.size} enabled`)
    : failure(`Check their logs: ${stopped.join('; ')}`);
};

/** Without its confirmation, a subscription by mail gets nothing, and says nothing. */
const alarmMails = async (deployment: Deployment): Promise<Finding> => {
  const TopicArn = only(deployment, 'AWS::SNS::Topic');
  const { Attributes = {} } = await new SNSClient({}).send(new GetTopicAttributesCommand({ TopicArn }));
  if (Number(Attributes.SubscriptionsPending) > 0)
    return warning(
      'A subscription is not confirmed, so alarms do not reach it. Open the link in the mail "AWS Notification - Subscription Confirmation".',
    );
  const confirmed = Number(Attributes.SubscriptionsConfirmed);
  return confirmed > 0
    ? ok(counted(confirmed, 'subscription'))
    : warning('Alarms reach nobody: npm run deploy -- -c alarmEmail=you@example.com');
};

const site = async ({ stack, apiUrl }: Deployment): Promise<Finding> => {
  const url = stack.output('AdminUrl');
  const page = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  const isOfApi = configIn(await page.text())?.apiUrl === apiUrl;
  return isOfApi ? ok(url) : failure(`The page at ${url} names another API, or none. Deploy again.`);
};

const AUDITED = [
  ...['api-key.create', 'prompt.create', 'secret.create', 'secret.read', 'version.publish', 'call.refuse'],
  ...['api-key.revoke', 'prompt.delete', 'secret.delete'],
];

/** Calls the API as an application does; returns the status and the result. */
const callAs = async (url: string, apiKey: string, body: object) => {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const { res, err } = (await response.json()) as { readonly res?: unknown; readonly err?: string };
  return { status: response.status, res: res as Record<string, unknown> | null, err };
};

/** Reads, changes and is refused with the key of a test. Returns what went wrong. */
const problemsOf = async (apiUrl: string, { name, value, apiKey }: Smoke): Promise<string[]> => {
  const call = (path: string, body: object) => callAs(apiUrl + path, apiKey, body);
  const get = (asked: string) => call('/api/prompt/get-compiled', { name: asked });
  // At once: the audit entry of the read is found among the first.
  const secrets = await call('/api/vault/get-secrets', {});
  const first = await get(name);
  const published = await call('/api/prompt/publish', {
    name,
    content: { prompt: `${value} again` },
    base: '1.0.0',
  });
  const second = await get(name);
  const other = await get('cuevault-smoke');
  const seen = [
    ['The secret', secrets, Object.entries(secrets.res ?? {}).join() === `${name},${value}`],
    ['The prompt', first, first.res?.prompt === value],
    ['Publishing', published, published.status === 200],
    ['The changed prompt', second, second.res?.prompt === `${value} again`],
    ['A prompt outside of its limit', other, other.status === 404],
  ] as const;
  return seen.flatMap(([what, { status, err = 'other content than was written' }, works]) =>
    works ? [] : `${what}: ${status}, ${err}`,
  );
};

/**
 * Writes a prompt, a secret and a key through the command `smoke`, uses them as an application does, and has them removed,
 * whatever happens.
 */
export const roundTrip = async (
  apiUrl: string,
  { invoke }: Pick<Installation, 'invoke'>,
): Promise<Finding> => {
  const begun = (await invoke(smoke.id, { do: 'begin' })) as Smoke;
  const { name, keyId, since } = begun;
  const problems: string[] = [];
  try {
    problems.push(...(await problemsOf(apiUrl, begun)));
  } catch (error) {
    problems.push(String(error));
  }
  const { audited } = (await invoke(smoke.id, { do: 'end', name, keyId, since })) as {
    readonly audited: readonly string[];
  };
  const missing = AUDITED.filter((action) => !audited.includes(action));
  if (missing.length > 0) problems.push(`The audit log lacks ${missing.join(', ')}`);
  return problems.length === 0
    ? ok('a prompt and a secret were written, read, changed, audited and removed; another prompt was refused')
    : failure(`${problems.join('; ')}. Check the logs of these functions.`);
};

/** A permission that a function lacks shows only when it runs. */
const throughCommand = ({ stage, apiUrl }: Deployment): Promise<Finding> =>
  withInstallation({ stage }, (installation) => roundTrip(apiUrl, installation)).catch((error) =>
    failure(`${String(error)} Check the log of the function "${smoke.id}".`),
  );

export const smokeChecks = (deployment: Deployment): Check[] => [
  { title: 'stack', run: async () => ok(`${deployment.stack.name} is ${deployment.stack.status}`) },
  { title: 'operators', run: () => operators(deployment) },
  { title: 'routes', run: () => routes(deployment) },
  { title: 'round trip', run: () => throughCommand(deployment) },
  { title: 'key policies', run: () => keyPolicies(deployment) },
  { title: 'table policy', run: () => tablePolicy(deployment) },
  { title: 'alarms', run: () => alarmMails(deployment) },
  { title: 'stream consumers', run: () => streams(deployment) },
  { title: 'admin UI', run: () => site(deployment) },
];

export interface SmokeOptions {
  /** Another address of the API. @default - that of the stack */
  readonly apiUrl?: string | undefined;
  /** Further checks. @default - none */
  readonly others?: (deployment: Deployment) => Check[];
}

/** Checks the deployment of a stage. Errors: `CommandError` if there is none; those of CloudFormation. */
export const checkDeployment = async (stage: string, { apiUrl, others = () => [] }: SmokeOptions = {}) => {
  const found = await openDeployment(stage, await requireStack(stage));
  const deployment = { ...found, apiUrl: apiUrl ?? found.apiUrl };
  const results = await runChecks([...smokeChecks(deployment), ...others(deployment)]);
  const { text, failed } = reportOf(results);
  return { text: `Cuevault, ${stage}, ${new Date().toISOString()}\n${text}`, failed };
};
