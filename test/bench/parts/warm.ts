import { generateApiKey } from '../../../lambdas/core/api-keys/new-key.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { secretsOf } from '../../support/rows/many-secrets.ts';
import { content, newPrompt } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { uniqueName } from '../../support/unique-name.ts';
import { type Figure, proportion } from '../figures.ts';
import { bareKey, barePrompt, bareVault } from '../requests.ts';
import { withDeployment } from '../service.ts';
import { elapsed, inTurns, ownTime } from '../statistics.ts';

const CALLS = 2_000;
const TEMPLATE = 'You answer customers of {{company}} in at most {{sentences}} sentences.\n'.repeat(8);

const MESSAGES = 20;

/** A chat of this many messages and a text with the same contents, by name. */
const chatAndText = async (table: Table): Promise<[chat: string, text: string]> => {
  const contents = Array<string>(MESSAGES).fill(TEMPLATE.slice(0, TEMPLATE.length / 4));
  const text = JSON.stringify(contents.map((content) => ({ role: 'user', content })));
  const chat = { ...content(text), type: 'chat' as const, name: uniqueName('prompt') };
  await createPrompt(table, changeAt(), chat);
  return [chat.name, (await newPrompt(table, { prompt: text })).name];
};

const WARM_UP = 300;
const BOUND = 1.25;
/** Against the same calls by the SDK's document client. */
const SDK_BOUND = 1;

type Call = () => Promise<unknown>;

/** The ratio of the times of two calls, measured in turns. */
const inPairs = async (name: string, one: Call, other: Call, bound = BOUND): Promise<Figure> => {
  const measures = { one: elapsed(one), other: elapsed(other) };
  await inTurns(WARM_UP, measures);
  const times = await inTurns(CALLS, measures);
  return proportion(name, [times.one, times.other], bound, `medians of ${CALLS} pairs of calls`);
};

/** Warm calls of the two functions, compared with the bare table calls; a chat is compared with a text. */
export const warm = () =>
  withDeployment(async (deployment) => {
    const { promptId, name } = await newPrompt(deployment.table, { prompt: TEMPLATE });
    await importSecrets(deployment.table, changeAt(), secretsOf(100));
    const getPrompt = await deployment.container('prompt-get-compiled');
    const getSecrets = await deployment.container('vault-get-secrets');
    const [chat, text] = await chatAndText(deployment.table);
    const body = { name, shouldCompile: true, variables: { company: 'Example', sentences: 3 } };
    const bareGetPrompt = await barePrompt(deployment, promptId);
    const bareGetSecrets = await bareVault(deployment);
    return [
      await inPairs(
        'warm prompt-get-compiled / its calls by the SDK',
        () => getPrompt(body),
        bareGetPrompt,
        SDK_BOUND,
      ),
      await inPairs(
        'warm prompt-get-compiled, a chat of 20 messages / a text of the same size',
        () => getPrompt({ ...body, name: chat }),
        () => getPrompt({ ...body, name: text }),
      ),
      await inPairs(
        'warm vault-get-secrets, 100 / its calls by the SDK',
        () => getSecrets({}),
        bareGetSecrets,
        SDK_BOUND,
      ),
    ];
  });

/** Processor time of a warm call for 1,000 secrets, without its table calls. */
export const warmVault = () =>
  withDeployment(async (deployment) => {
    await importSecrets(deployment.table, changeAt(), secretsOf(1_000));
    const getSecrets = await deployment.container('vault-get-secrets');
    const work = [() => getSecrets({}), await bareVault(deployment)] as const;
    const repeated = { warmUp: 10, rounds: 40, calls: 25 };
    return [await ownTime('warm vault-get-secrets, 1000', work, 3, repeated)];
  });

/** Processor time of a call with an unknown key and a body of 200 KB, without its read. */
export const refused = () =>
  withDeployment(async (deployment) => {
    const caller = { apiKey: generateApiKey().apiKey, status: 401 };
    const call = await deployment.container('prompt-get-compiled', caller);
    const read = await bareKey(deployment);
    const body = { name: 'large', version: '1.0.0', variables: { x: Array(50_000).fill([1]) } };
    // This includes creating the event, which Lambda does otherwise.
    const bare = () => {
      JSON.stringify(body);
      return read();
    };
    const { write } = process.stdout;
    // Printing the logs of the calls to a terminal would take most of the time.
    process.stdout.write = () => true;
    const repeated = { warmUp: 10, rounds: 20, calls: 50 };
    const figure = await ownTime('a refused call', [() => call(body), bare], 0.75, repeated).finally(() => {
      process.stdout.write = write;
    });
    return [figure];
  });
