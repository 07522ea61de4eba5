import type { Endpoint } from '../../../contract/endpoint.ts';
import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { promptGetLangfuse } from '../../../contract/endpoints/prompts/prompt-get-langfuse.ts';
import {
  promptList,
  promptMoveLabels,
  promptPublish,
  promptSource,
} from '../../../contract/endpoints/publishing.ts';
import { vaultGetSecrets } from '../../../contract/endpoints/secrets/vault-get-secrets.ts';
import { auditList } from '../../../contract/endpoints/service.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { generateApiKey } from '../../../lambdas/core/api-keys/new-key.ts';
import { inParallel } from '../../../lambdas/core/parallel.ts';
import { auditChange } from '../../../lambdas/store/audit.ts';
import { putItem } from '../../../lambdas/store/table.ts';
import { transact } from '../../../lambdas/store/transactions.ts';
import type { Consumption } from '../../../local/aws/services.ts';
import { DEFAULT_STACK_SETTINGS } from '../../infra/stack.ts';
import { send } from '../../support/admin.ts';
import { openInstance, type TestInstance } from '../../support/instance.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { type Figure, reported } from '../figures.ts';
import { GB, invocation, MILLION, PUBLISHED, price } from '../prices.ts';

const DAY_SECONDS = 86_400;
/** What all functions of an account may run at once, unless its limit was raised. */
const EXECUTIONS = 1_000;
/** Entries that a page of the audit log examines at most, in transactions of at most 100. */
const TRANSACTIONS = 20;
const CHANGES = 100;
/** Headers of a reply, with those of API Gateway. */
const HEADER_BYTES = 600;

interface Caller {
  readonly name: string;
  readonly endpoint: Endpoint;
  /** Bytes of the largest reply. */
  readonly replyBytes: number;
  /** Seconds that a call lasts. @default - as long as its timeout */
  readonly seconds?: number;
  /** Number of routes that the caller can call in this way. */
  readonly routes: number;
  /** Calls per second on each of them. @default - the throttle of the route */
  readonly perSecond?: number;
  readonly call: (instance: TestInstance) => Promise<{ readonly status: number }>;
  readonly status: number;
}

const routesOf = (kind: Endpoint['access']['kind']): number =>
  ENDPOINTS.filter(({ access }) => access.kind === kind).length;

const metaProperties = { x: 'x'.repeat(DEFAULT_STACK_SETTINGS.requestMetadataBytes - '{"x":""}'.length) };

const prompts = (instance: TestInstance, count: number, prompt?: string) =>
  inParallel(Array.from({ length: count }), () => newPrompt(instance.table, prompt ? { prompt } : {}));
const asJob = async (instance: TestInstance, { route }: Endpoint, body: object) => {
  const { apiKey } = await instance.newKey({ permissions: ['publish'], labels: ['live'] });
  return instance.post(route?.path ?? '', body, apiKey);
};
const LARGEST = 'x'.repeat(LIMITS.templateBytes);
/** As many of the largest prompts as a page has room for. */
const EXPORTED = Math.ceil(LIMITS.pageBytes / LIMITS.templateBytes);

const { throttleRate, publishRate } = DEFAULT_STACK_SETTINGS;
/** Routes that the rate of each API key limits. */
const PUBLISHING = ENDPOINTS.filter(({ access }) => access.kind === 'api-key' && access.publishing).length;
/** A window in the future, with as many calls as an instance without a rate ever allows. */
const FULL = { callWindow: Number.MAX_SAFE_INTEGER, calls: Number.MAX_SAFE_INTEGER };

const CALLERS: readonly Caller[] = [
  {
    name: 'anyone, with an unknown API key',
    endpoint: promptGetCompiled,
    status: 401,
    // It reads two rows and parses nothing: the caller cannot make it last.
    replyBytes: HEADER_BYTES,
    routes: routesOf('api-key'),
    seconds: 0.1,
    call: (instance) => instance.post('/api/prompt/get-compiled', { name: 'a' }, generateApiKey().apiKey),
  },
  {
    name: 'an API key for prompts',
    endpoint: promptGetCompiled,
    status: 200,
    replyBytes: LIMITS.replyBytes,
    routes: 1,
    call: async (instance) => {
      const { name } = await newPrompt(instance.table);
      return instance.post('/api/prompt/get-compiled', { name, metaProperties });
    },
  },
  {
    name: 'an API key for prompts, as Langfuse',
    endpoint: promptGetLangfuse,
    status: 200,
    replyBytes: LIMITS.replyBytes,
    routes: 1,
    call: async (instance) => {
      const { name } = await newPrompt(instance.table, { prompt: LARGEST });
      const { apiKey } = await instance.newKey({});
      const headers = { authorization: `Basic ${btoa(`pk:${apiKey}`)}` };
      return fetch(`${instance.url}/api/public/v2/prompts/${name}?label=latest`, { headers });
    },
  },
  {
    name: 'an API key that publishes, publishing',
    endpoint: promptPublish,
    status: 200,
    replyBytes: HEADER_BYTES,
    routes: 1,
    perSecond: publishRate,
    call: (instance) =>
      asJob(instance, promptPublish, { name: 'largest', base: null, content: { prompt: LARGEST } }),
  },
  {
    name: 'an API key that publishes, moving labels',
    endpoint: promptMoveLabels,
    status: 200,
    replyBytes: HEADER_BYTES,
    routes: 1,
    perSecond: publishRate,
    call: async (instance) => {
      const found = await prompts(instance, LIMITS.labelMoves);
      const moves = found.map(({ name }) => ({ name, label: 'live', from: null, to: '1.0.0' }));
      return asJob(instance, promptMoveLabels, { moves });
    },
  },
  {
    name: 'an API key that publishes, listing',
    endpoint: promptList,
    status: 200,
    replyBytes: LIMITS.replyBytes,
    routes: 1,
    perSecond: publishRate,
    call: async (instance) => {
      await prompts(instance, LIMITS.listedPrompts);
      return asJob(instance, promptList, {});
    },
  },
  {
    name: 'an API key that publishes, fetching sources',
    endpoint: promptSource,
    status: 200,
    replyBytes: LIMITS.pageBytes,
    routes: 1,
    perSecond: publishRate,
    call: async (instance) => {
      const found = await prompts(instance, EXPORTED, LARGEST);
      return asJob(instance, promptSource, { names: found.map(({ name }) => name) });
    },
  },
  {
    name: 'an API key that publishes, refused',
    endpoint: promptList,
    status: 429,
    replyBytes: HEADER_BYTES,
    routes: PUBLISHING,
    seconds: 0.1,
    call: async (instance) => {
      const { apiKey, keyId } = await instance.newKey({ permissions: ['publish'] });
      await putItem(instance.table, { pk: PARTITIONS.apiKeyUse + keyId, sk: 'USE', ...FULL });
      return instance.post(promptList.route?.path ?? '', {}, apiKey);
    },
  },
  {
    name: 'an API key for secrets',
    endpoint: vaultGetSecrets,
    status: 200,
    replyBytes: LIMITS.replyBytes,
    routes: 1,
    call: (instance) => instance.post('/api/vault/get-secrets', {}),
  },
  {
    name: 'a viewer, searching the audit log',
    endpoint: auditList,
    status: 200,
    replyBytes: LIMITS.pageBytes,
    routes: 1,
    call: (instance) => send(instance, auditList, { query: { actor: 'nobody' }, groups: ['viewer'] }),
  },
];

interface Units {
  readonly read: number;
  readonly written: number;
}

const unitsOf = (consumed: readonly Consumption[], { id }: Endpoint): Units => {
  const own = consumed.filter(({ operationId }) => operationId === id);
  const isWrite = ({ operation }: Consumption): boolean => /Put|Update|Delete|Write/.test(operation);
  const sum = (some: readonly Consumption[]): number => some.reduce((total, { units }) => total + units, 0);
  return { read: sum(own.filter((each) => !isWrite(each))), written: sum(own.filter(isWrite)) };
};

/** Dollars a day of calls at the throttle: each lasts until its timeout, as far as the account runs so many at once. */
const dollarsOfDay = (
  {
    endpoint,
    replyBytes,
    routes,
    perSecond: each = throttleRate,
    seconds: longest = endpoint.timeoutSeconds,
  }: Caller,
  { read, written }: Units,
  logBytes: number,
) => {
  const perSecond = each * routes;
  const seconds = Math.min(longest, EXECUTIONS / perSecond);
  const perCall = {
    'API Gateway': price('httpApiMillionCalls') / MILLION,
    Lambda: invocation(endpoint.memoryMb, seconds),
    DynamoDB:
      (read * price('dynamoDbMillionReadUnits') + written * price('dynamoDbMillionWriteUnits')) / MILLION,
    logs: (logBytes / GB) * price('cloudWatchLogsGb'),
    'data transfer': (replyBytes / GB) * price('dataTransferGb'),
  };
  return Object.entries(perCall).map(([name, dollars]) => ({
    name,
    dollars: dollars * perSecond * DAY_SECONDS,
  }));
};

/**
 * What one caller can cost in a day at the default throttle, at worst: units and log bytes of its most expensive call are
 * measured, replies are as large and calls as long as the limits allow.
 */
export const worstCost = async (): Promise<Figure[]> => {
  const consumed: Consumption[] = [];
  const instance = await openInstance({ hooks: { onConsumed: (each) => consumed.push(each) } });
  try {
    const change = () =>
      auditChange(instance.table, changeAt(new Date()), { action: 'label.set', subject: 's', name: 'n' });
    for (let i = 0; i < TRANSACTIONS; i++)
      await transact(instance.table, Array.from({ length: CHANGES }, change));
    const figures: Figure[] = [];
    for (const caller of CALLERS) {
      consumed.length = 0;
      const logged = instance.logs.join('').length;
      const { status } = await caller.call(instance);
      if (status !== caller.status) throw new Error(`${caller.name} was answered ${status}.`);
      const units = unitsOf(consumed, caller.endpoint);
      const parts = dollarsOfDay(caller, units, instance.logs.join('').length - logged);
      figures.push(
        reported(
          `at worst in a day: ${caller.name}`,
          parts.reduce((sum, { dollars }) => sum + dollars, 0),
          'USD',
          `${parts.map(({ name, dollars }) => `${name} ${dollars.toFixed(0)}`).join(', ')}; ${units.read} read and ${units.written} written units; prices of ${PUBLISHED}`,
        ),
      );
    }
    return figures;
  } finally {
    await instance.stop();
  }
};
